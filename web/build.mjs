/* build.mjs ENGINE.wasm OUT.html: bundles the page into one file, the template of `tenon view`.
 *
 * Everything is inline; the one script that runs is named by its hash in the Content-Security-Policy.
 * The same sources give the same bytes, with or without the tsconfig.json of the npm package beside them.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [enginePath, out] = process.argv.slice(2);
const common = { bundle: true, minify: true, write: false, target: "es2022", charset: "utf8",
                 legalComments: "none", logLevel: "warning", absWorkingDir: here,
                 tsconfigRaw: { compilerOptions: { strict: true } } };

const worker = (await esbuild.build({ ...common, entryPoints: ["src/worker.ts"], format: "iife" }))
    .outputFiles[0].text;
const workerSource = {
    name: "worker-source",
    setup(build) {
        build.onResolve({ filter: /^worker-source$/ }, ({ path }) => ({ path, namespace: "worker" }));
        build.onLoad({ filter: /.*/, namespace: "worker" }, () => ({ contents: worker, loader: "text" }));
    },
};
const bundle = await esbuild.build({ ...common, entryPoints: ["src/main.ts"], format: "iife",
                                     plugins: [workerSource], metafile: true });
/* what would end a script element inside a string is written differently */
const script = bundle.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const style = (await esbuild.build({ ...common, entryPoints: ["src/style.css"] })).outputFiles[0].text;
/* no date and no system in the packed engine */
const engine = gzipSync(readFileSync(enginePath), { level: 9 });
engine[9] = 255;

/* The licences of what is inside, for the page itself. */
const packages = [...new Set(Object.keys(bundle.metafile.inputs)
    .map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean))].sort();
const notices = packages.map((name) => {
    const about = JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8"));
    return `${name} ${about.version} (${about.license})`;
});

const hash = createHash("sha256").update(script).digest("base64");
const policy = ["default-src 'none'", `script-src 'sha256-${hash}' 'wasm-unsafe-eval'`,
    "worker-src blob:", "style-src 'unsafe-inline'", "img-src data: blob:", "media-src blob:",
    "font-src 'none'", "connect-src 'none'", "base-uri 'none'", "form-action 'none'"].join("; ");
const page = readFileSync(join(here, "page.html"), "utf8");
const parts = { POLICY: policy, NOTICES: notices.join(", "), STYLE: style, SCRIPT: script,
                ENGINE: engine.toString("base64") };
writeFileSync(out, page.replace(/\{\{(\w+)\}\}/g, (all, name) => parts[name] ?? all));
console.log(`${out}: ${(readFileSync(out).length / 1e6).toFixed(2)} MB; script ` +
    `${(script.length / 1e6).toFixed(2)}, engine ${(engine.length / 1e6).toFixed(2)} packed; ` +
    notices.join(", "));
