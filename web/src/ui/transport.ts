/* transport.ts: the bar under the picture: play, step, reset, speed, the time line with its events. */
import type { StepEvent } from "../engine.ts";
import type { Turn } from "../numbers.ts";
import type { Frame } from "../timeline.ts";
import type { App } from "../app.ts";
import { button, el, icon, show } from "./dom.ts";
import { t } from "../words/words.ts";

const MOST_MARKED = 4; /* joints whose turning points are marked at once */
const PAUSE = 700;     /* ms between searches for them while time goes on */
const SPEEDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10];

export class Transport {
    readonly element: HTMLElement;
    private readonly play: HTMLButtonElement;
    private readonly line: HTMLInputElement;
    private readonly ticks = el("div", { class: "ticks", "aria-hidden": "true" });
    private readonly clock = el("output", { class: "clock" });
    private readonly energy = el("span", { class: "readout", title: t("total energy") });
    private readonly error = el("span", { class: "readout", title: t("largest joint error") });
    private readonly undo: HTMLButtonElement;
    private readonly redo: HTMLButtonElement;
    private known = 0;
    private readonly turns = el("div", { class: "ticks" });
    private turned = { at: 0, key: "" }; /* when they were found last (ms), and of what */

    constructor(private readonly app: App) {
        this.play = button("play", t("play"), () => app.toggle(), t("space"));
        this.play.classList.add("play");
        this.line = el("input", { type: "range", class: "scrub", "aria-label": t("time"), step: "any",
                                  min: "0", max: "1", value: "0" });
        this.line.addEventListener("input", () => app.seek(Number(this.line.value)));
        const loop = button("loop", t("repeat"), () => {
            app.loop = !app.loop;
            loop.setAttribute("aria-pressed", String(app.loop));
        }, "L");
        loop.setAttribute("aria-pressed", "false");
        loop.id = "loop";
        const speed = el("select", { class: "speed", "aria-label": t("speed"), id: "speed" },
            ...SPEEDS.map((x) => el("option", { value: String(x), selected: x === 1 }, `${x} ×`)));
        speed.addEventListener("change", () => { app.speed = Number(speed.value); });
        this.undo = button("undo", t("undo"), () => void app.undo(), "Ctrl+Z");
        this.redo = button("redo", t("redo"), () => void app.redo(), "Ctrl+Shift+Z");
        this.element = el("div", { class: "transport", role: "toolbar", "aria-label": t("time") },
            button("reset", t("back to the start"), () => void app.reset(), "R"), this.play,
            button("step", t("one step"), () => void app.step(), "."),
            el("div", { class: "timeline" }, this.line, this.ticks, this.turns), this.clock, speed, loop,
            this.undo, this.redo, el("div", { class: "readouts" }, this.energy, this.error));
    }

    setPlaying(playing: boolean): void {
        this.play.replaceChildren(icon(playing ? "pause" : "play"));
        const label = playing ? t("pause") : t("play");
        this.play.setAttribute("aria-label", label);
        this.play.title = `${label} (${t("space")})`;
    }

    /* Inputs wait: what is to be undone may be among them. */
    wait(): void { this.undo.disabled = this.redo.disabled = false; }

    update(frame: Frame): void {
        const end = Math.max(frame.end, this.app.model!.duration, frame.start + 1e-9);
        this.line.min = String(frame.start);
        this.line.max = String(end);
        this.line.value = String(frame.time);
        this.line.setAttribute("aria-valuetext", `${frame.time.toFixed(3)} seconds`);
        this.clock.textContent = `${frame.time.toFixed(3)} s`;
        const [, , , total] = frame.numbers;
        this.energy.textContent = `E ${show(total!, 5)} J`;
        const error = Math.max(frame.numbers[6]!, frame.numbers[7]!);
        this.error.textContent = `${t("error")} ${error === 0 ? "0" : error.toExponential(0)}`;
        this.undo.disabled = !frame.canUndo && this.app.waiting === 0;
        this.redo.disabled = !frame.canRedo && this.app.waiting === 0;
        this.findTurns(frame);
        if (frame.events !== this.known || this.app.eventsStale) {
            this.known = frame.events;
            this.app.eventsStale = false;
            void this.app.act(async () => this.showEvents(await this.app.client.events()));
        }
    }

    /* Coordinates whose turning points are marked: those of the joint that is picked, else of the joints with the ground. */
    private marked(): number[] {
        const { joints, columns } = this.app.model!, chosen = joints[this.app.selected];
        const owners = chosen ? [chosen] : joints.filter((one) => (one.a < 0 || one.b < 0) && one.coordinates.length === 1).slice(0, MOST_MARKED);
        return owners.flatMap((one) => one.coordinates.map(({ name }) => columns.indexOf(`${one.name}.${name}`))).filter((column) => column > 0);
    }
    private findTurns(frame: Frame): void {
        const columns = this.marked(), key = JSON.stringify([columns, frame.start, frame.end, this.line.max]), now = performance.now();
        if (key === this.turned.key || (this.app.playing && now - this.turned.at < PAUSE))
            return;
        this.turned = { at: now, key };
        void this.app.act(async () => this.showTurns(columns.length === 0 ? [] : await this.app.client.turns(columns)));
    }
    private showTurns(turns: Turn[]): void {
        const start = Number(this.line.min), end = Number(this.line.max), { columns, units } = this.app.model!;
        this.turns.replaceChildren(...turns.map(({ column, time, value, high }) => {
            const unit = this.app.display.of(units[column]!), name = columns[column]!;
            const text = `${name} turns back at ${show(value / unit.size, 5)} ${unit.name} (${high ? "highest" : "lowest"}), ${time.toFixed(4)} s`;
            const tick = el("button", { type: "button", class: "tick turn", tabIndex: -1, title: text, "aria-label": text, click: () => this.app.visit(time) });
            tick.style.left = `${100 * (time - start) / (end - start)}%`;
            return tick;
        }));
    }

    private showEvents(events: StepEvent[]): void {
        const marks = new Map<string, { at: number; text: string[] }>();
        const start = Number(this.line.min), end = Number(this.line.max);
        for (const event of events) {
            const at = (event.time - start) / (end - start);
            const slot = at.toFixed(3);
            if (!marks.has(slot))
                marks.set(slot, { at, text: [] });
            const mark = marks.get(slot)!;
            if (mark.text.length < 5)
                mark.text.push(`${event.time.toFixed(4)} s: ${event.text}, ${this.app.nameOf(event.joint)}`);
        }
        this.ticks.replaceChildren(...[...marks.values()].slice(0, 400).map(({ at, text }) => {
            const tick = el("i", { title: text.join("\n") });
            tick.style.left = `${100 * at}%`;
            return tick;
        }));
    }
}
