/* main.ts: starts the page: engine, worker, model. */
import workerSource from "worker-source";
import { App } from "./app.ts";
import { connect } from "./client.ts";
import { draftIn, filesIn } from "./files.ts";
import { Gallery } from "./gallery.ts";
import { live } from "./live.ts";
import { fromBase64, packedEngine, pageModel, recordingOf } from "./pagefile.ts";
import { Tour } from "./ui/tour.ts";
import { watch } from "./watch.ts";
import { language } from "./words/words.ts";

async function start(): Promise<void> {
    document.documentElement.lang = language;
    const host = document.getElementById("app")!, page = pageModel();
    const client = connect(workerSource);
    const files = Object.entries(page.files ?? {}).map(([name, text]): [string, Uint8Array] =>
        [name, fromBase64(text)]);
    const engine = client.init(packedEngine(), files); /* made while the picture is */
    const app = new App(client, host);
    (window as unknown as { tenon: App }).tenon = app; /* for the console, and for the tests */
    performance.mark("tenon: page");
    await engine;
    performance.mark("tenon: engine");
    if (page.gallery) {
        await new Gallery(app, host, page.gallery).fill();
        document.documentElement.dataset.ready = "true";
        return;
    }
    const draft = await draftIn(location.hash), text = draft?.text ?? page.text ?? "";
    app.first = text;
    if (text === "")
        app.start.open();
    else
        await app.load(text, draft?.name ?? page.name ?? "model.yaml", draft ? null : recordingOf(page), draft ? filesIn(draft) : null);
    document.documentElement.dataset.ready = "true";
    if (page.watched)
        void watch(app, page.watched);
    if (page.live !== undefined)
        void live(app, page.live);
    if (page.play)
        app.play();
    if (!Tour.seen() && text !== "")
        app.tour.start();
}

start().catch((error) => {
    const note = document.createElement("pre");
    note.textContent = `This page cannot start: ${error}\nIt needs a browser with WebAssembly and WebGL 2.`;
    document.getElementById("app")!.replaceChildren(note);
    console.error(error);
});
