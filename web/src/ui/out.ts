/* out.ts: what one takes away: pictures, film, numbers, the model, the page itself. */
import type { App } from "../app.ts";
import { el, field, numberBox, save } from "./dom.ts";
import { currentPage } from "../pagefile.ts";
import { dxfOf, outlinesOf, svgOf } from "../drawing/outlines.ts";
import { DRAW } from "../scene/parts.ts";

export class OutPanel {
    readonly element = el("div", { class: "out" });
    private readonly link = el("input", { type: "text", class: "link", readOnly: true, hidden: true, "aria-label": "link with the model" });
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
        let length = 5; /* s */
        const seconds = numberBox(length, "length of the film in seconds", (value) => { length = Math.max(0.1, value); },
                                  "", "s");
        this.element.append(
            el("h3", {}, "Picture"),
            item("PNG", "the picture as it is, twice as fine", async () =>
                save(this.file("png"), await app.scene.png())),
            item("SVG", "drawn with lines, as `tenon draw` does, from the same side", async () =>
                save(this.file("svg"), new Blob([await app.svg()], { type: "image/svg+xml" }))),
            el("h3", {}, "Drawing to scale"),
            item("DXF in mm", "outlines of the bodies as they stand, of a mechanism in the plane, for CAD and laser cutters", async () =>
                save(this.file("dxf"), new Blob([dxfOf(await this.outlines())], { type: "image/vnd.dxf" }))),
            item("SVG in mm", "the same, as large as it is on paper", async () =>
                save(this.file("svg"), new Blob([svgOf(await this.outlines())], { type: "image/svg+xml" }))),
            el("h3", {}, "Film"), field("length", seconds, "s"),
            item("WebM from here on", "records the picture while it plays", () =>
                this.film(length)),
            el("h3", {}, "Numbers"),
            item("CSV", "everything that can be recorded, for what was simulated", async () =>
                save(this.file("csv"), new Blob([await app.client.csv()], { type: "text/csv" }))),
            el("h3", {}, "Model"),
            item("YAML of this state", "a model file of the mechanism as it stands now", async () =>
                save(this.file("yaml"), new Blob([await this.model()], { type: "text/yaml" }))),
            item("YAML as it is written", "the model's text, formulas and comments too, with the parameters and joints as they were set here",
                 async () => save(this.file("yaml"), new Blob([await app.design()], { type: "text/yaml" }))),
            item("Link with the model", "an address of this page that carries the model, to be copied", async () => {
                const link = await app.files.link();
                this.link.value = link;
                this.link.hidden = false;
                this.link.select();
                await navigator.clipboard?.writeText(link).then(() => { this.note.textContent = "copied"; }, () => {});
            }), this.link,
            item("This page", "one file with the model as it stands now", async () =>
                save(this.file("html"), new Blob([currentPage(await this.model(), app.name)],
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

    private async film(seconds: number): Promise<void> {
        const stream = this.app.scene.canvas.captureStream(30);
        const type = ["video/webm;codecs=vp9", "video/webm"].find((kind) =>
            MediaRecorder.isTypeSupported(kind));
        if (!type)
            throw new Error("this browser records no WebM");
        const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8e6 });
        const parts: Blob[] = [];
        recorder.ondataavailable = (event) => parts.push(event.data);
        const stopped = new Promise<void>((done) => { recorder.onstop = () => done(); });
        recorder.start();
        this.app.play();
        this.note.textContent = "recording ...";
        await new Promise((done) => setTimeout(done, 1000 * seconds));
        recorder.stop();
        this.app.pause();
        await stopped;
        this.note.textContent = "";
        save(this.file("webm"), new Blob(parts, { type: "video/webm" }));
    }
}
