/* editor.ts: the model's text, with the reader's messages under the lines and the schema's keys. */
import { autocompletion } from "@codemirror/autocomplete";
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, bracketMatching, foldGutter, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { nameOf } from "../dropped.ts";
import type { Problem } from "../engine.ts";
import type { App } from "../app.ts";
import { el, field } from "./dom.ts";
import { t } from "../words/words.ts";

const PAUSE = 350; /* ms without a key before the text is looked at */

const colors = HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--key)" },
    { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
    { tag: [tags.string, tags.content], color: "var(--ink)" },
    { tag: [tags.number, tags.bool], color: "var(--number)" },
]);

/* Keys of the schema: all that stand anywhere, with their descriptions. */
function keysOf(schema: unknown): { label: string; info: string }[] {
    const found = new Map<string, string>();
    const walk = (node: any): void => {
        if (node === null || typeof node !== "object")
            return;
        for (const [key, value] of Object.entries(node.properties ?? {}))
            found.set(key, (value as any)?.description ?? found.get(key) ?? "");
        for (const value of Object.values(node))
            walk(value);
    };
    walk(schema);
    return [...found].map(([label, info]) => ({ label, info: info.slice(0, 300) }));
}

export class EditorPanel {
    readonly element = el("div", { class: "editor" });
    private readonly problems = el("ol", { class: "problems", "aria-live": "polite" });
    private readonly imported = el("details", { class: "imported", open: true, hidden: true });
    private view: EditorView | null = null;
    private keys: { label: string; info: string }[] | null = null;
    private timer = 0;
    private readonly atOnce = el("input", { type: "checkbox", checked: true });

    constructor(private readonly app: App) {
        const run = el("button", { type: "button", class: "main", id: "run-text",
                                   click: () => void this.run() }, t("Run this text"));
        const now = el("button", { type: "button", click: () => void this.takeState(),
            title: t("the mechanism as it stands now, with everything that was changed") }, t("Text of the present state"));
        const set = el("button", { type: "button", click: () => void this.takeDesign(),
            title: t("this text with the parameters and joints as they were set here") }, t("With what was set here"));
        this.element.append(el("div", { class: "buttons" }, run, field(t("at each change"), this.atOnce)),
                            el("div", { class: "buttons" }, set, now), this.imported, this.problems);
    }

    text(): string { return this.view?.state.doc.toString() ?? this.app.source; }

    /* Made when it is first seen. */
    open(): void {
        if (this.view) {
            this.view.requestMeasure();
            return;
        }
        const host = el("div", { class: "code" });
        this.element.insertBefore(host, this.problems);
        this.view = new EditorView({ parent: host, state: this.state(this.app.source) });
        void this.check();
    }

    private state(text: string): EditorState {
        return EditorState.create({ doc: text, extensions: [
            lineNumbers(), foldGutter(), history(), drawSelection(), bracketMatching(),
            highlightActiveLine(), yaml(), syntaxHighlighting(colors), lintGutter(),
            autocompletion({ override: [(context) => this.complete(context)] }),
            keymap.of([{ key: "Mod-Enter", run: () => { void this.run(); return true; } },
                       ...defaultKeymap, ...historyKeymap, indentWithTab]),
            EditorView.contentAttributes.of({ "aria-label": t("text of the model") }),
            EditorView.updateListener.of((update) => {
                if (update.docChanged)
                    this.later();
            }),
        ] });
    }

    private later(): void {
        clearTimeout(this.timer);
        this.timer = window.setTimeout(() => void this.check(), PAUSE);
    }

    private async complete(context: CompletionContext): Promise<CompletionResult | null> {
        const word = context.matchBefore(/[A-Za-z_]+/);
        if (!word && !context.explicit)
            return null;
        this.keys ??= keysOf(await this.app.client.schema());
        const after = context.state.sliceDoc(context.pos, context.pos + 1) === ":" ? "" : ": ";
        return { from: word?.from ?? context.pos, validFor: /^\w*$/,
                 options: this.keys.map(({ label, info }) => ({ label, info, apply: label + after,
                                                                type: "property" })) };
    }

    setText(text: string): void {
        this.view?.setState(this.state(text));
        void this.check();
    }

    /* Undone, done again or drawn: the text goes with the model; before: only if that is what stands there. */
    follow(text: string, before = this.text()): void {
        if (this.view && this.text() !== text && this.text() === before)
            this.setText(text);
    }

    /* What is wrong with the text; if nothing is, it is made the model. */
    private async check(): Promise<void> {
        const text = this.text(), problems = await this.app.client.check(text);
        this.show(problems);
        const good = !problems.some((problem) => problem.severity === "error");
        if (good && this.atOnce.checked && !this.app.recorded && text === this.text() && text !== this.app.source)
            await this.app.change(text);
    }

    /* What of a model of others is read otherwise, or is wrong with it, by the lines of its own files. "": there is none.
     * reread: reads it with a setting that a hint proposes. */
    showImport(name: string, problems: Problem[], reread?: (setting: [string, string]) => void): void {
        this.imported.hidden = name === "" || problems.length === 0;
        const wrong = problems.some((one) => one.severity === "error");
        this.imported.replaceChildren(
            el("summary", {}, `${wrong ? "What is wrong with" : "What is read otherwise of"} ${name} (${problems.length})`),
            el("ol", { class: "problems" }, ...problems.map((one) => el("li", { class: one.severity },
                `${nameOf(one.file ?? name)}${one.line > 0 ? `:${one.line}:${one.column}` : ""}: ${one.message}`,
                one.hint ? el("small", {}, one.hint) : null, reread ? this.settingButton(one.hint ?? "", reread) : null))));
    }
    private settingButton(hint: string, reread: (setting: [string, string]) => void): HTMLElement | null {
        const [, name, value] = /--set (\w+)=([\w.+-]+)/.exec(hint) ?? [];
        return name && value ? el("button", { type: "button", class: "chip", click: () => reread([name, value]) }, t("read it with {0}", `${name}=${value}`)) : null;
    }

    /* Problems under their lines and in a list. */
    show(problems: Problem[]): void {
        const told = problems.filter((problem) => problem.severity !== "note");
        this.problems.replaceChildren(...told.map((problem) => el("li", { class: problem.severity },
            el("button", { type: "button", click: () => this.goTo(problem) },
               problem.line > 0 ? `${problem.line}:${problem.column}: ` : "", problem.message),
            problem.hint ? el("small", {}, problem.hint) : null)));
        if (!this.view)
            return;
        const { doc } = this.view.state;
        this.view.dispatch(setDiagnostics(this.view.state, told.filter((problem) => problem.line > 0)
            .map((problem) => {
                const line = doc.line(Math.min(problem.line, doc.lines));
                const from = Math.min(line.from + Math.max(0, problem.column - 1), line.to);
                const end = /^[^\s:,}\]]+/.exec(doc.sliceString(from, line.to))?.[0].length ?? 1;
                return { from, to: Math.min(line.to, from + end), severity: problem.severity === "error"
                             ? "error" as const : "warning" as const,
                         message: problem.message + (problem.hint ? `\n${problem.hint}` : "") };
            })));
    }

    private goTo(problem: Problem): void {
        if (!this.view || problem.line === 0)
            return;
        const line = this.view.state.doc.line(Math.min(problem.line, this.view.state.doc.lines));
        const at = Math.min(line.from + Math.max(0, problem.column - 1), line.to);
        this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
        this.view.focus();
    }

    async run(): Promise<void> {
        const problems = await this.app.load(this.text(), this.app.name);
        this.show(problems);
        if (this.app.model)
            this.app.play();
    }

    private async takeDesign(): Promise<void> {
        try {
            this.setText(await this.app.design());
        } catch (error) {
            this.app.tell(String(error), true);
        }
    }

    private async takeState(): Promise<void> {
        const { status, text } = await this.app.client.writeModel();
        if (status === 0)
            this.setText(text);
        else
            this.app.tell(text);
    }
}
