/* out.ts: what one takes away: pictures, film, numbers, the model, the page itself. */
import type { App } from "../app.ts";
import { el, field, numberBox, save } from "./dom.ts";
import { currentPage } from "../pagefile.ts";
import { filmOf } from "../film.ts";
import type { FilmKind } from "../film.ts";
import { dxfOf, outlinesOf, svgOf } from "../drawing/outlines.ts";
import { DRAW } from "../scene/parts.ts";
import { t } from "../words/words.ts";

export class OutPanel {
    readonly element = el("div", { class: "out" });
    private readonly link = el("input", { type: "text", class: "link", readOnly: true, hidden: true, "aria-label": t("link with the model") });
    private readonly film = { seconds: 3, speed: 1, rate: 30, width: 640 }; /* s, s a second, pictures a second, pixels */
    private readonly stop = el("button", { type: "button", hidden: true }, t("end the film here"));
    private readonly note = el("p", { class: "quiet", role: "status" });

    constructor(private readonly app: App) {
        const item = (label: string, title: string, act: () => Promise<void>) =>
            el("button", { type: "button", title, click: async () => {
                this.note.textContent = "";
                try {
                    await act();
                } catch (error) {
                    this.note.textContent = String(error);
                }
            } }, label);
        const number = (value: number, label: string, least: number, most: number, unit: string, change: (value: number) => void) =>
            field(label, numberBox(value, t("{0} of the film", label), (now) => change(Math.min(Math.max(now, least), most)), "", unit), unit);
        const { film } = this;
        const seconds = numberBox(film.seconds, t("length of the film in seconds"), (value) => { film.seconds = Math.max(0.1, value); }, "", "s");
        this.element.append(
            el("h3", {}, t("Picture")),
            item("PNG", t("the picture as it is, twice as fine"), async () =>
                save(this.file("png"), await app.scene.png())),
            item("SVG", t("drawn with lines, as `tenon draw` does, from the same side"), async () =>
                save(this.file("svg"), new Blob([await app.svg()], { type: "image/svg+xml" }))),
            el("h3", {}, t("Drawing to scale")),
            item(t("DXF in mm"), t("outlines of the bodies as they stand, of a mechanism in the plane, for CAD and laser cutters"), async () =>
                save(this.file("dxf"), new Blob([dxfOf(await this.outlines())], { type: "image/vnd.dxf" }))),
            item(t("SVG in mm"), t("the same, as large as it is on paper"), async () =>
                save(this.file("svg"), new Blob([svgOf(await this.outlines())], { type: "image/svg+xml" }))),
            el("h3", {}, t("Film")), field(t("length"), seconds, "s"),
            number(film.speed, t("speed"), 1e-4, 1e4, "", (value) => { film.speed = value; }),
            number(film.rate, t("pictures a second"), 1, 60, "", (value) => { film.rate = value; }),
            number(film.width, t("width"), 16, 3840, "", (value) => { film.width = value; }),
            item(t("WebM from here on"), t("a film of simulated time, however long its pictures take"), () => this.shoot("webm")),
            item("GIF", t("the same as GIF"), () => this.shoot("gif")),
            item(t("PNG pictures"), t("each picture of it, in a ZIP file"), () => this.shoot("zip")), this.stop,
            el("h3", {}, t("Numbers")),
            item("CSV", t("everything that can be recorded, for what was simulated"), async () =>
                save(this.file("csv"), new Blob([await app.client.csv()], { type: "text/csv" }))),
            el("h3", {}, t("Model")),
            item(t("YAML of this state"), t("a model file of the mechanism as it stands now"), async () =>
                save(this.file("yaml"), new Blob([await this.model()], { type: "text/yaml" }))),
            item(t("YAML as it is written"), t("the model's text, formulas and comments too, with the parameters and joints as they were set here"),
                 async () => save(this.file("yaml"), new Blob([await app.design()], { type: "text/yaml" }))),
            item(t("Link with the model"), t("an address of this page that carries the model, to be copied"), async () => {
                const link = await app.files.link();
                this.link.value = link;
                this.link.hidden = false;
                this.link.select();
                await navigator.clipboard?.writeText(link).then(() => { this.note.textContent = t("copied"); }, () => {});
            }), this.link,
            item(t("This page"), t("one file with the model as it stands now"), async () =>
                save(this.file("html"), new Blob([currentPage(await this.model(), app.name, app.brought)],
                                                 { type: "text/html" }))),
            this.note);
    }

    private file(ending: string): string { return this.app.fileName(ending); }

    private async outlines() {
        const { model } = this.app;
        if (!model?.planar)
            throw new Error("only a mechanism in the plane (world: planar) has a drawing to scale");
        const { list } = await this.app.client.frame({ ...this.app.wish(true), what: DRAW.bodies });
        return outlinesOf(list, model.bodies.map((body) => body.name));
    }

    private async model(): Promise<string> {
        const { status, text } = await this.app.client.writeModel();
        if (status !== 0)
            throw new Error(text);
        return text;
    }

    /* Times of simulation go on by speed / rate from picture to picture; the film is as high as the picture on the screen has it. */
    private async shoot(kind: FilmKind): Promise<void> {
        const { seconds, speed, rate, width } = this.film, { clientWidth, clientHeight } = this.app.stage;
        const even = (pixels: number) => 2 * Math.max(8, Math.round(pixels / 2)), pictures = Math.max(1, Math.round(seconds * rate));
        const canvas = el("canvas", { width: even(width), height: even(width * clientHeight / clientWidth) });
        const film = await filmOf(kind, canvas.width, canvas.height, rate);
        let goes = true;
        this.stop.onclick = () => { goes = false; };
        this.stop.hidden = false;
        try {
            await this.app.film(pictures, rate, speed, canvas, async (k) => {
                await film.add(canvas);
                this.note.textContent = `${k + 1} of ${pictures} pictures`;
                return goes;
            });
            save(this.file(kind), await film.end());
        } finally {
            this.stop.hidden = true;
        }
        this.note.textContent = "";
    }
}
