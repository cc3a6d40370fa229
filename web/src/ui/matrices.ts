/* matrices.ts: J, M, K and b of the rows of one joint, or of all, with the present numbers and what the rows bear. */
import type { Matrix } from "../engine.ts";
import type { Matrices } from "../moment.ts";
import type { App } from "../app.ts";
import { el, field, show } from "./dom.ts";
import { t } from "../words/words.ts";

const EVERY = 250; /* ms between pictures */
const NONE = 1e-12; /* share of the largest of a matrix: smaller is rounding, and shown as 0 */
const DIGITS = 4;

function largest(values: ArrayLike<number>): number {
    return Array.from(values).reduce((most, one) => Math.max(most, Number.isFinite(one) ? Math.abs(one) : 0), 0);
}

export class MatrixList {
    private readonly body = el("div", { class: "equations" });
    private readonly which = el("select", { "aria-label": "rows of which joint", change: () => void this.update(true) });
    readonly element = el("details", { class: "matrix-list" }, el("summary", {}, t("J, K, b and λ of the constraint rows")),
        field(t("rows of"), this.which), this.body);
    private last = 0;

    constructor(private readonly app: App) { this.element.addEventListener("toggle", () => void this.update(true)); }

    build(): void {
        const { joints } = this.app.model!, chosen = this.which.value;
        const named = joints.map(({ name }, j): [string, string] => [String(j), name]);
        this.which.replaceChildren(...[["-1", "all joints"], ...named].map(([value, name]) => el("option", { value: value! }, name!)));
        this.which.value = named.some(([value]) => value === chosen) ? chosen : "-1";
        this.element.hidden = joints.length === 0;
        void this.update(true);
    }

    async update(now = false): Promise<void> {
        if (this.element.hidden || !this.element.open || !this.element.isConnected || (!now && performance.now() - this.last < EVERY))
            return;
        this.last = performance.now();
        await this.app.act(async () => this.fill(await this.app.client.matrices(Number(this.which.value))));
    }

    private fill(found: Matrices | string): void {
        if (typeof found === "string") {
            this.body.replaceChildren(el("p", { class: "quiet" }, `${found}.`));
            return;
        }
        const { rows, velocities, jacobian, mass, effective, rhs, u, lambda } = found;
        const used = velocities.map((_, c) => c).filter((c) => rows.some((_, r) => jacobian.values[r * jacobian.columns + c] !== 0));
        const part = (of: Matrix, lines: number[], columns: number[]): number[][] =>
            lines.map((r) => columns.map((c) => of.values[r * of.columns + c]!));
        const all = rows.map((_, k) => k), names = used.map((c) => velocities[c]!);
        const column = (title: string, values: ArrayLike<number>, of: string[]) => this.table(title, [""], of, Array.from(values, (one) => [one]));
        this.body.replaceChildren(
            el("p", { class: "quiet" }, "SI and radians. u: of each body the velocity of its centre of mass and its turning. Rows hold if J u = 0; the " +
               "impulse that makes them hold solves K p = b. Their forces are Jᵀλ in M u̇ = f + Jᵀλ."),
            this.table("J", names, rows, part(jacobian, all, used)),
            column("u", used.map((c) => u[c]!), names),
            this.table("M", names, names, part(mass, used, used)),
            effective ? this.table("K = J M⁻¹ Jᵀ", rows, rows, part(effective, all, all))
                : el("p", { class: "quiet" }, "K: a body has no inertia, so that M has no inverse."),
            column("b = −J u", rhs, rows), column("λ, now [N, N m]", lambda, rows));
    }

    /* Rows and columns by their names; what is rounding beside the largest is 0. */
    private table(title: string, columns: string[], rows: string[], values: number[][]): HTMLElement {
        const size = largest(values.flat());
        const said = (one: number) => Number.isFinite(one) ? show(Math.abs(one) < NONE * size ? 0 : one, DIGITS) : "–";
        return el("div", { class: "wide", tabIndex: 0, role: "region", "aria-label": title }, el("table", {}, el("caption", {}, title),
            el("tr", {}, el("th", {}), ...columns.map((one) => el("th", { scope: "col" }, one))),
            ...rows.map((name, r) => el("tr", {}, el("th", { scope: "row" }, name), ...values[r]!.map((one) => el("td", {}, said(one)))))));
    }
}
