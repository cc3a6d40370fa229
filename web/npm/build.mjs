/* npm/build.mjs ENGINE.wasm PROJECT OUT: the npm package as a folder: index.js, its types, tenon.wasm.
 *
 * The same sources give the same bytes.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url)), web = dirname(here);
const [engine, project, out] = process.argv.slice(2);
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await esbuild.build({ entryPoints: [join(here, "index.ts")], outfile: join(out, "index.js"), bundle: true,
                      format: "esm", platform: "neutral", target: "es2022", charset: "utf8",
                      legalComments: "none", logLevel: "warning", absWorkingDir: web });
execFileSync(process.execPath, [join(web, "node_modules/typescript/bin/tsc"), "-p", join(here, "tsconfig.json"),
                                "--outDir", join(out, "types")], { stdio: "inherit" });

/* declarations name declarations */
for (const folder of ["npm", "src"])
    for (const name of readdirSync(join(out, "types", folder))) {
        const path = join(out, "types", folder, name);
        writeFileSync(path, readFileSync(path, "utf8").replaceAll(/(from "[^"]+)\.ts"/g, '$1.js"'));
    }
writeFileSync(join(out, "index.d.ts"), 'export * from "./types/npm/index.js";\n');
const header = readFileSync(join(project, "include/tenon/version.h"), "utf8");
const version = ["MAJOR", "MINOR", "PATCH"].map((part) => header.match(`#define TN_VERSION_${part} (\\d+)`)[1]).join(".");
const { name, ...about } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
about.files.push("types");
writeFileSync(join(out, "package.json"), JSON.stringify({ name, version, ...about }, null, 2) + "\n");
cpSync(engine, join(out, "tenon.wasm"));
cpSync(join(here, "README.md"), join(out, "README.md"));
for (const name of ["LICENSE", "web/LICENSES.md"])
    cpSync(join(project, name), join(out, name.replace("web/", "")));
