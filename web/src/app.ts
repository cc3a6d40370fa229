/* app.ts: the page: one model in the worker, one picture of it, panels around. */
import type { Client } from "./client.ts";
import { COORDINATES } from "./engine.ts";
import type { Coordinate, Model, Problem } from "./engine.ts";
import type { Recording } from "./recording.ts";
import type { Again } from "./session.ts";
import type { Frame, Wanted } from "./timeline.ts";
import { settingsEdits } from "./design.ts";
import { Display } from "./display.ts";
import type { Quantity } from "./display.ts";
import { Drag } from "./drag.ts";
import { Board } from "./drawing/board.ts";
import { StartPage } from "./drawing/start.ts";
import { isForeign, nameOf } from "./dropped.ts";
import { Files, filesIn } from "./files.ts";
import type { Named } from "./files.ts";
import { Queue } from "./queue.ts";
import { DRAW } from "./scene/parts.ts";
import { Scene } from "./scene/scene.ts";
import { button, el } from "./ui/dom.ts";
import { EditorPanel } from "./ui/editor.ts";
import { JointPanel } from "./ui/joints.ts";
import { KeyList, keys } from "./ui/keys.ts";
import { LookPanel } from "./ui/look.ts";
import { OutPanel } from "./ui/out.ts";
import { PlotPanel } from "./ui/plots.ts";
import { ReportPanel } from "./ui/report.ts";
import { SweepPanel } from "./ui/sweeps.ts";
import { Tabs } from "./ui/tabs.ts";
import type { Tab } from "./ui/tabs.ts";
import { Tour } from "./ui/tour.ts";
import { Transport } from "./ui/transport.ts";
import type { Source } from "./undo.ts";
import { withEdits } from "./yamltext.ts";
import { LANGUAGES, language, remember, t } from "./words/words.ts";

const BUDGET = 24;    /* ms of simulation for one picture */
const VISIT = 500;    /* ms of simulation for the picture of a time that was pressed */
const CATCH_UP = 0.1; /* s: more than that behind real time is given up */
const MANY_JOINTS = 60;

/* Would the panel of joints be the same? */
function hasSameJoints(a: Model, b: Model): boolean {
    const about = ({ joints, couplings, parameters }: Model) => JSON.stringify([
        [...joints, ...couplings].map((one) => [one.name, one.coordinates]), parameters.map((one) => one.name)]);
    return about(a) === about(b);
}

export class App {
    model: Model | null = null;
    frame: Frame | null = null;
    name = "model.yaml";
    source = "";
    recorded = ""; /* what is shown instead of a simulation: the name of a recording */
    live = false; /* it goes on elsewhere (live.ts) */
    what: number = DRAW.bodies | DRAW.shapes | DRAW.limits | DRAW.marks | DRAW.couplings;
    wrench: number | null = null;
    loads = true; /* shown */
    row: [number, number] | null = null; /* of a joint: its arrow is shown */
    tracked = ""; /* the name of the body that the view moves with */
    selected = -1;
    playing = false;
    private fromStart = false; /* played from the start, once the picture of it is there */
    picks = false; /* clicks on the picture choose something: no body is taken */
    loop = false;
    speed = 1;
    eventsStale = false;
    pictures = 0; /* shown so far */
    private seen = false; /* the first of them */
    readonly stage = el("div", { class: "stage" });
    readonly scene: Scene;
    readonly display = new Display(() => this.scene.modelSize());
    readonly drag: Drag;
    private readonly title = el("h1", {});
    private readonly followed = el("span", { class: "followed", hidden: true });
    private readonly drawButton = el("button", { type: "button", id: "draw", "aria-pressed": "false",
        title: t("draw and change the mechanism with the mouse"), click: () =>
            void this.board.toggle() }, t("Draw"));
    private readonly message = el("div", { class: "message", role: "status", "aria-live": "polite", hidden: true });
    private readonly transport = new Transport(this);
    private readonly joints = new JointPanel(this);
    private readonly look = new LookPanel(this);
    private readonly report = new ReportPanel(this);
    private readonly plots = new PlotPanel(this);
    private readonly sweeps = new SweepPanel(this);
    private readonly editor = new EditorPanel(this);
    private readonly out = new OutPanel(this);
    readonly board: Board;
    readonly files: Files;
    readonly start: StartPage;
    first = ""; /* the text that the page came with: it need not be kept */
    readonly tour = new Tour();
    readonly keyList = new KeyList(() => this.tour.start());
    private readonly tabs = new Tabs([
        ["joints", t("Joints"), this.joints.element], ["look", t("Look"), this.look.element],
        ["report", t("Report"), this.report.element], ["plots", t("Plots"), el("div", {}, this.plots.element, this.sweeps.element)],
        ["text", t("Text"), this.editor.element], ["out", t("Out"), this.out.element]], (tab) => this.opened(tab));
    private readonly queue = new Queue(); /* all that is asked of the engine, in the order of the input */
    private busy = false; /* a picture is on its way */
    private wanted = 0; /* s: where the time should be */
    private last = 0;
    private messageTimer = 0;

    constructor(readonly client: Client, host: HTMLElement) {
        this.scene = new Scene(this.stage);
        this.scene.labels.valueOf = (joint, i, frame) => this.valueOf(joint, i, frame);
        this.drag = new Drag(this);
        host.append(this.header(), el("main", {}, this.stage, this.tabs.element), this.transport.element,
                    this.message, this.tour.element, this.keyList.element);
        this.board = new Board(this);
        this.files = new Files(this);
        this.start = new StartPage(this, () => void this.files.open(), () => {
            const draft = this.files.draft();
            return draft && (() => void this.load(draft.text, draft.name, null, filesIn(draft)).then(() => this.board.open()));
        });
        host.append(this.start.element);
        this.open("joints");
        this.setDark(matchMedia("(prefers-color-scheme: dark)").matches);
        keys(this);
        requestAnimationFrame((now) => this.tick(now));
    }

    private header(): HTMLElement {
        const theme = button("theme", t("dark or light"), () =>
            this.setDark(document.documentElement.dataset.theme !== "dark"), "D");
        const words = el("select", { class: "language", "aria-label": t("language"), change: () => void this.setLanguage(words.value) },
            ...LANGUAGES.map(([code, name]) => el("option", { value: code, lang: code }, name)));
        words.value = language;
        return el("header", {}, this.title, this.followed, el("div", { class: "spacer" }),
                  el("button", { type: "button", id: "start", title: t("begin another mechanism"), click: () => this.start.open() }, t("New")),
                  this.drawButton, el("button", { type: "button", id: "save", title: t("save the model (Ctrl+S)"),
                                                  click: () => void this.files.save() }, t("Save")),
                  words, button("help", t("keys and tour"), () => this.keyList.open(), "?"), theme);
    }

    /* The page anew in other words, with the model as it is. */
    private async setLanguage(code: string): Promise<void> {
        remember(code);
        if (this.source !== this.first && !this.recorded)
            await this.files.link().then((link) => { location.hash = new URL(link).hash; }, () => this.files.changed());
        location.reload();
    }

    /* Work of a panel, when all before it is done; dropped if the page shows another model by then. It must
     * not wait for what goes through the queue itself: redraw, not refresh. */
    act<T>(work: () => Promise<T>): Promise<T | undefined> {
        const { model } = this;
        return this.queue.run(async () => model !== null && this.model === model ? work() : undefined);
    }

    waiting = 0; /* inputs that are not done yet */
    private document = 0; /* number of the one that is open */
    get opens(): number { return this.document; }
    /* What was pressed is done in the order in which it was pressed, however slow the engine is; dropped if
     * another document has been opened by then. The same holds as for act. */
    async input(work: () => void | Promise<void>): Promise<void> {
        const { document } = this;
        this.waiting++;
        this.transport.wait();
        try {
            await this.queue.run(() => this.document === document ? work() : undefined);
        } finally {
            if (--this.waiting === 0 && this.model && this.frame)
                this.transport.update(this.frame);
        }
    }

    open(tab: Tab): void { this.tabs.open(tab); }
    private opened(tab: Tab): void {
        this.plots.visible = tab === "plots";
        if (!this.model && tab !== "text")
            return;
        if (tab === "report")
            void this.report.build();
        if (tab === "plots")
            void this.plots.update(true);
        if (tab === "text")
            this.editor.open();
    }

    private vectors: number[][] = [];
    /* Markers whose velocity or acceleration is measured: these are drawn as arrows. */
    private findVectors(model: Model): void {
        const column = (name: string) => model.columns.indexOf(name);
        this.vectors = model.markers.map(({ name }, k) => [k, ...["velocity", "acceleration"].flatMap((quantity) =>
            ["x", "y", "z"].map((axis) => column(`${name}_${quantity}.${axis}`)))]).filter(([, ...columns]) =>
            columns.some((one) => one > 0));
    }

    /* Curves of measures that were drawn. */
    plotNew(measures: string[]): void {
        for (const measure of measures)
            this.model?.columns.forEach((column, k) => {
                if (column.startsWith(`${measure}.`) || column === measure)
                    this.plots.add(k);
            });
    }

    /* Numbers are shown in another unit from now on. */
    async setUnit(quantity: Quantity, word: string): Promise<void> {
        this.display.choose(quantity, word);
        this.board.restyle();
        this.plots.restyle();
        await this.act(async () => {
            await this.joints.build(this.model!);
            await this.redraw(true);
        });
        await this.report.update(true);
    }

    /* The value of a coordinate as its label says it. */
    private valueOf(joint: number, i: number, { coordinates }: Frame): string {
        const info = this.coordinate(joint, i), unit = this.display.of(info.angular ? "rad" : "m");
        const value = (coordinates[joint * COORDINATES + i]! / unit.size).toFixed(Math.max(0, unit.digits - 1));
        return `${info.name} = ${value}${unit.name === "°" ? "" : " "}${unit.name}`;
    }

    /* The board is open, or no more. */
    drawing(on: boolean): void { this.drawButton.setAttribute("aria-pressed", String(on)); }

    setDark(dark: boolean): void {
        document.documentElement.dataset.theme = dark ? "dark" : "light";
        this.scene.setDark(dark);
        if (this.model)
            this.plots.restyle();
    }

    /* models ----------------------------------------------------------------------------------- */

    private settings = new Map<string, string>(); /* of parameters */
    private asked = new Map<string, string>(); /* and not yet set */
    private setting = false; /* being loaded */
    private settingEnds = true; /* no slider is on its way */

    /* The model as it is written, with the parameters and the settings of joints that were set here.
     * Believed when it is read back. */
    design(): Promise<string> { return this.queue.run(() => this.written()); }
    private async written(): Promise<string> {
        const [was, now] = await Promise.all([this.client.settingsAtStart(), this.client.settings()]);
        const parameters = [...this.settings].map(([name, value]) => ({ path: ["parameters", name], value }));
        const { text, missing } = withEdits(this.source, [...parameters, ...settingsEdits(this.model!, was, now)]);
        const lost = missing.length > 0 ? missing : await this.client.differing(text);
        if (lost.length > 0)
            throw new Error(`the text cannot say what was set of ${lost.join(", ")}; the YAML of this state can`);
        return text;
    }

    /* Another value of a parameter: the mechanism is made anew, seen from where one is. last: no
     * slider is on its way. */
    async setParameter(name: string, value: string, last = true): Promise<void> {
        this.asked.set(name, value);
        this.settingEnds = last;
        if (this.setting)
            return;
        this.setting = true;
        while (this.asked.size > 0)
            await this.queue.run(async () => {
                const settings = new Map([...this.settings, ...this.asked]);
                this.asked.clear();
                await this.read(this.source, this.name, settings, "parameters");
            });
        this.setting = false;
        if (this.settingEnds)
            await this.client.endChange();
    }

    brought: Named[] = []; /* files of the model that the page did not come with */
    /* files: those that may belong to the model, by their paths; null: those that are there. */
    load(text: string, name: string, recording: Recording | null = null, files: Named[] | null = null): Promise<Problem[]> {
        return this.queue.run(() => this.readAny(text, name, "", recording, files));
    }

    /* A model in XML is made one of Tenon first; what of it is read otherwise is listed. */
    private async readAny(text: string, name: string, again: Again, recording: Recording | null = null,
                          files: Named[] | null = null): Promise<Problem[]> {
        if (!isForeign(text, name)) {
            if (files)
                await this.client.bringFiles(files);
            this.brought = files ?? this.brought;
            if (again === "" && files)
                this.editor.showImport("", []);
            return this.read(text, name, new Map(), again, recording);
        }
        return this.readForeign(text, name, again, recording, files, []);
    }
    /* settings: how it is read, as `--set` of the tool. */
    private async readForeign(text: string, name: string, again: Again, recording: Recording | null, files: Named[] | null,
                              settings: [string, string][]): Promise<Problem[]> {
        const { text: written, problems } = await this.client.convert(text, name, files, settings);
        this.editor.showImport(nameOf(name), problems, (more) => void this.queue.run(() =>
            this.readForeign(text, name, "", recording, files, [...settings, more])));
        if (written === null) {
            const wrong = problems.find((one) => one.severity === "error");
            this.tell(`${nameOf(name)}: ${wrong?.message ?? "it cannot be read"}`, true);
            this.open("text");
            return problems;
        }
        this.brought = await this.client.broughtFiles();
        const found = await this.read(written, nameOf(name).replace(/\.\w+$/, "") + ".yaml", new Map(), again, recording);
        if (this.model && this.source === written) {
            if (again !== "")
                this.editor.setText(written);
            const count = (severity: string) => problems.filter((one) => one.severity === severity).length;
            this.tell(`${nameOf(name)} is read: ${count("warning")} warnings, ${count("note")} notes, listed with the text`);
        }
        return found;
    }

    /* Another text of the model, seen from where one is; with mistakes in it all stays as it was. */
    change(text: string): Promise<Problem[]> { return this.queue.run(() => this.changeNow(text)); }
    /* The file that the page follows (watch.ts), as it is now; null: it has mistakes, and what is shown stays. */
    async follow(file: string, model: { name: string; text: string; files: Named[] } | null, problems: Problem[]): Promise<void> {
        const wrong = problems.find((one) => one.severity === "error");
        this.editor.showImport(file, model ? [] : problems);
        if (!model) {
            this.tell(`${file}${wrong && wrong.line > 0 ? `:${wrong.line}:${wrong.column}` : ""}: ${wrong?.message ?? "it cannot be read"}`, true);
            return;
        }
        this.message.hidden = true;
        await this.queue.run(async () => {
            const before = this.source;
            await this.client.bringFiles(this.brought = model.files);
            await this.changeNow(model.text);
            await this.client.endChange(); /* one that undo takes back by itself */
            this.editor.follow(this.source, before);
        });
    }
    /* Rows of a simulation elsewhere, from number `from` on. */
    extend(from: number, rows: Float64Array): Promise<void> {
        return this.queue.run(async () => this.show(await this.client.extend(from, rows, this.wish()), false));
    }
    following(file: string): void {
        this.followed.textContent = t("follows {0}", file);
        this.followed.hidden = file === "";
    }

    /* The same within a work of the queue. */
    async changeNow(text: string): Promise<Problem[]> {
        const playing = this.playing, again = this.model ? "text" : "";
        const problems = await this.readAny(text, this.name, again);
        if (playing && this.source === text)
            this.play();
        return problems;
    }
    /* What was drawn, within a work of the queue; the panel of the text shows it unless something is being typed
     * there. Is it the model now? */
    async rewrite(text: string): Promise<boolean> {
        const before = this.source;
        await this.changeNow(text);
        if (this.source === text)
            this.editor.follow(text, before);
        return this.source === text;
    }

    private async read(text: string, name: string, settings: Map<string, string>, again: Again,
                        recording: Recording | null = null): Promise<Problem[]> {
        this.pause();
        const { ok, failure, problems, model } =
            await this.client.load(text, name, [...settings], recording, again);
        const wrong = problems.find((problem) => problem.severity === "error");
        if (again !== "" && !model) {
            this.tell(wrong?.message ?? failure);
            return problems;
        }
        if (again === "") {
            this.document++;
            this.plots.forget();
            this.editor.follow(text);
        }
        this.source = text;
        this.name = name;
        this.settings = settings;
        this.recorded = recording?.name ?? "";
        if (!ok || !model) {
            this.tell(wrong ? `${wrong.line > 0 ? `${name}:${wrong.line}:${wrong.column}: ` : ""}${wrong.message}`
                            : failure, true);
            this.model = null;
            this.tabs.setEmpty(true);
            this.open("text");
            return problems;
        }
        if (again === "")
            this.joints.clear();
        await this.put(model, again);
        return problems;
    }

    /* Shows a model in place of the one there was. */
    private async put(model: Model, again: Again): Promise<void> {
        const same = again === "parameters" && this.model !== null && hasSameJoints(model, this.model);
        const name = model.name || this.name;
        this.model = model;
        this.tabs.setEmpty(false);
        this.message.hidden = true;
        this.title.textContent = name + (this.recorded && !this.live ? ` – recorded in ${this.recorded}` : "");
        document.title = `${name} – Tenon`;
        this.scene.canvas.setAttribute("aria-label",
            `picture of ${name}: ${model.bodies.length} bodies, ${model.joints.length} joints`);
        this.selected = -1;
        this.row = null;
        this.eventsStale = true;
        this.motion = null;
        if (model.joints.length > MANY_JOINTS)
            this.what &= ~DRAW.limits;
        this.findVectors(model);
        this.scene.setModel(model, again !== "");
        if (!same)
            this.joints.clear();
        await this.redraw(true);
        await this.board.follow();
        this.files.changed();
        if (same) {
            this.joints.rebuild(); /* a slider may be in the hand */
            return;
        }
        await this.joints.build(model);
        this.joints.update(this.frame!);
        this.look.build();
        this.plots.build();
        this.sweeps.build();
        if (this.tabs.isOpen("report"))
            void this.report.build();
    }

    fileName(ending: string): string {
        return `${this.name.replace(/\.[a-z]+$/, "").replace(/[^\w.-]+/g, "_") || "model"}.${ending}`;
    }

    nameOf(joint: number): string {
        const joints = this.model!.joints;
        return (joints[joint] ?? this.model!.couplings[joint - joints.length])?.name ?? "";
    }
    coordinate(joint: number, i: number): Coordinate {
        const joints = this.model!.joints;
        return (joints[joint] ?? this.model!.couplings[joint - joints.length])!.coordinates[i]!;
    }

    /* frames ----------------------------------------------------------------------------------- */

    wish(whole = false): Wanted {
        const readout = this.wrench ?? (this.selected >= 0 ? -1 : null);
        return { what: this.what, joint: this.selected, whole, wrench: readout, loads: this.loads,
                 row: this.row, trail: this.scene.traces.known,
                 tracked: this.model?.bodies.findIndex((body) => body.name === this.tracked) ?? -1, vectors: this.vectors };
    }

    private async show(frame: Frame, whole: boolean): Promise<void> {
        const shown = this.wrench === null ? { ...frame, wrenches: null } : frame;
        if (!this.scene.show(shown, whole)) {
            frame = await this.client.frame(this.wish(true));
            this.scene.show(this.wrench === null ? { ...frame, wrenches: null } : frame, true);
        }
        this.frame = frame;
        this.transport.update(frame);
        if (this.tabs.isOpen("joints"))
            this.joints.update(frame);
        void this.plots.update();
        void this.report.update();
        this.pictures++;
    }

    /* The present state again, after a change. */
    refresh(whole = false): Promise<void> { return this.queue.run(() => this.redraw(whole)); }
    /* The same within a work of the queue. */
    async redraw(whole = false): Promise<void> {
        if (!this.model)
            return;
        await this.show(await this.client.frame(this.wish(whole)), whole);
        this.wanted = this.frame!.time;
    }

    private tick(now: number): void {
        requestAnimationFrame((next) => this.tick(next));
        const passed = Math.min(CATCH_UP, (now - this.last) / 1000);
        this.last = now;
        if (!this.busy && this.model && (this.motion !== null || this.playing)) {
            this.busy = true;
            void this.queue.run(() => this.motion !== null ? this.showMotionAt(now) : this.advance(passed))
                .finally(() => { this.busy = false; });
        }
        this.scene.render();
        this.board.tick();
        if (this.pictures > 0 && !this.seen) {
            this.seen = true;
            performance.mark("tenon: picture");
        }
    }

    private async advance(passed: number): Promise<void> {
        if (!this.playing || !this.model)
            return;
        const duration = this.live ? this.frame!.end : this.model!.duration;
        if (this.live && !this.loop && this.frame!.time >= duration)
            return; /* more comes */
        this.wanted = Math.min(this.wanted, this.frame!.time + 2 * CATCH_UP * this.speed) + passed * this.speed;
        if (this.fromStart || (this.loop && this.wanted > duration)) {
            this.fromStart = false;
            this.wanted = this.frame!.start;
            await this.show(await this.client.seekFrame(0, this.wish()), false);
        } else {
            await this.show(await this.client.advance(this.wanted, BUDGET, this.wish()), false);
        }
        if (this.frame!.failure !== "") {
            this.tell(`stopped at ${this.frame!.time.toFixed(4)} s: ${this.frame!.failure}`, true);
            this.pause();
        }
        if (this.recorded && !this.live && !this.loop && this.frame!.time >= this.frame!.end)
            this.pause();
    }

    play(): void {
        this.motion = null;
        this.fromStart = this.recorded !== "" && !this.live && this.frame!.time >= this.frame!.end;
        this.playing = this.model !== null;
        this.board.told();
        this.wanted = this.frame?.time ?? 0;
        this.transport.setPlaying(this.playing);
    }
    pause(): void {
        this.playing = this.fromStart = false;
        this.transport.setPlaying(false);
    }
    toggle(): void {
        if (this.playing)
            this.pause();
        else
            this.play();
    }
    async step(): Promise<void> {
        this.pause();
        await this.input(() => this.stepNow());
    }
    private async stepNow(): Promise<void> {
        if (!this.model)
            return;
        await this.show(await this.client.step(this.wish()), false);
        if (this.frame!.failure !== "")
            this.tell(this.frame!.failure, true);
    }
    async reset(): Promise<void> {
        this.pause();
        await this.input(() => this.resetNow());
    }
    /* The same within a work of the queue. */
    async resetNow(): Promise<void> {
        this.pause();
        if (!this.model)
            return;
        await this.show(await this.client.seekFrame(0, this.wish()), false);
        this.wanted = this.frame!.time;
    }

    /* Pictures of simulated times: from the present on, rate of them a second of film, which shows speed seconds each second.
     * seen: of each picture; false: no more of them. What was simulated beyond the present is simulated anew. */
    film(pictures: number, rate: number, speed: number, canvas: HTMLCanvasElement, seen: (k: number) => Promise<boolean>): Promise<void> {
        this.pause();
        return this.queue.run(async () => {
            const context = canvas.getContext("2d", { willReadFrequently: true }), start = this.frame?.time ?? 0;
            try {
                for (let k = 0; this.model && context && k < pictures; k++) {
                    await this.show(await this.client.picture(start + k * speed / rate, this.wish()), false);
                    this.scene.paint(context);
                    if (!await seen(k))
                        break;
                    if (this.frame!.failure !== "")
                        throw new Error(`stopped at ${this.frame!.time.toFixed(4)} s: ${this.frame!.failure}`);
                }
            } finally {
                this.scene.endPaint();
                await this.redraw();
            }
        });
    }

    /* To exactly a time that was simulated: of marks and curves. */
    async visit(time: number): Promise<void> {
        this.pause();
        await this.input(async () => {
            await this.show(await this.client.visit(time, VISIT, this.wish()), false);
            this.wanted = this.frame!.time;
        });
    }

    private seeking: number | null = null;
    async seek(time: number): Promise<void> {
        this.pause();
        const first = this.seeking === null;
        this.seeking = time;
        if (first)
            await this.queue.run(() => this.seekNow());
    }
    private async seekNow(): Promise<void> {
        while (this.model && this.seeking !== null) {
            const to: number = this.seeking;
            const frame: Frame = to > this.frame!.end
                ? await this.client.advance(to, BUDGET, this.wish())
                : await this.client.seek(to, this.wish());
            await this.show(frame, false);
            if (this.seeking === to)
                this.seeking = null;
        }
        this.seeking = null;
        this.wanted = this.frame?.time ?? 0;
    }

    undo(): Promise<void> { return this.input(async () => this.afterSwap(await this.client.undo())); }
    redo(): Promise<void> { return this.input(async () => this.afterSwap(await this.client.redo())); }
    private async afterSwap(other: { model: Model; source: Source } | null): Promise<void> {
        if (!this.model)
            return;
        if (other) {
            this.source = other.source.text;
            this.settings = new Map(other.source.settings);
            this.editor.follow(this.source);
            await this.put(other.model, "text");
            return;
        }
        await this.redraw();
        await this.joints.build(this.model!);
        this.joints.update(this.frame!);
    }

    /* choosing --------------------------------------------------------------------------------- */

    select(joint: number): void {
        this.selected = joint >= 0 && joint < this.model!.joints.length ? joint : -1;
        this.scene.solids.highlight([], this.selected >= 0 ? [this.selected] : []);
        this.joints.reveal(joint);
        if (joint >= 0)
            this.plots.addJoint(joint);
        void this.refresh();
    }
    highlight(bodies: number[], joints: number[]): void {
        this.scene.solids.highlight(bodies.filter((b) => b >= 0), joints.filter((j) => j >= 0));
        void this.refresh();
    }

    /* A message that stays (lasting) or goes by itself; "" is none. */
    tell(text: string, lasting = false): void {
        clearTimeout(this.messageTimer);
        this.message.hidden = text === "";
        this.message.textContent = text;
        this.message.classList.toggle("lasting", lasting);
        if (text !== "" && !lasting)
            this.messageTimer = window.setTimeout(() => { this.message.hidden = true; }, 6000);
    }

    /* ways to move ----------------------------------------------------------------------------- */

    private motion: number | null = null;
    private motionStart = 0;
    async showMotion(which: number | null): Promise<void> {
        this.pause();
        await this.act(async () => {
            this.motion = which;
            this.motionStart = performance.now();
            if (which === null) {
                await this.client.endMotion();
                await this.redraw();
            } else {
                await this.client.beginMotion(which);
            }
        });
    }
    private async showMotionAt(now: number): Promise<void> {
        const share = Math.sin((now - this.motionStart) / 500);
        const frame = await this.client.motionFrame(share, this.wish());
        if (this.motion !== null)
            await this.show(frame, false);
    }

    /* As `tenon draw` draws it, from where one looks now. */
    async svg(): Promise<string> {
        const e = this.scene.view.camera.matrixWorld.elements;
        return this.client.svg(this.what, [e[0]!, e[1]!, e[2]!, e[4]!, e[5]!, e[6]!, e[8]!, e[9]!, e[10]!],
                               this.title.textContent ?? "");
    }
}
