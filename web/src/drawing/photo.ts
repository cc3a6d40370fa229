/* photo.ts: a photo behind the grid, to build over. It lies in the plane, as wide as a length on it says.
 *
 * It is no part of the model: the text stays text, small enough for a link, and the engine never hears of it. The browser keeps it,
 * with its place, under the name of the model.
 */
import * as THREE from "three";

const MOST_PIXELS = 2048; /* of a side: larger photos are made smaller */
const FADED = 0.55;       /* what is seen of it through white */
const STORE = "photos", MOST_BYTES = 50_000_000;

export interface Place { x: number; y: number } /* m */
interface Kept { file: Blob; x: number; y: number; width: number } /* its middle and width, m */

function stored<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | null> {
    return new Promise((done) => {
        const open = indexedDB.open("tenon", 1);
        open.onupgradeneeded = () => open.result.createObjectStore(STORE);
        open.onerror = () => done(null); /* this browser keeps nothing */
        open.onsuccess = () => {
            const request = work(open.result.transaction(STORE, mode).objectStore(STORE));
            request.onsuccess = () => done(request.result);
            request.onerror = () => done(null);
        };
    });
}

export class Photo {
    private kept: Kept | null = null;
    private name = "";
    readonly mesh = new THREE.Mesh(new THREE.PlaneGeometry(1, 1), new THREE.MeshBasicMaterial({ depthTest: false, depthWrite: false }));

    constructor(private readonly changed: () => void) {
        this.mesh.renderOrder = -1; /* behind everything */
        this.mesh.raycast = () => {};
        this.mesh.visible = false;
    }

    get there(): boolean { return this.kept !== null; }

    /* That of another model; the same name: nothing is done. */
    async follow(name: string): Promise<void> {
        if (name === this.name)
            return;
        this.name = name;
        await this.put(await stored<Kept>("readonly", (store) => store.get(name)) ?? null);
    }

    /* A picture file, as wide as is said about a middle; throws where it is none. */
    async take(file: Blob, middle: Place, width: number): Promise<void> {
        if (file.size > MOST_BYTES)
            throw new Error("the photo is too large");
        await this.put({ file, ...middle, width });
        this.keep();
    }
    /* Larger or smaller about a place of it, which goes to another. */
    move(from: Place, to: Place, factor: number): void {
        const { kept } = this;
        if (!kept)
            return;
        [kept.x, kept.y, kept.width] = [to.x + factor * (kept.x - from.x), to.y + factor * (kept.y - from.y), factor * kept.width];
        this.lay();
        this.keep();
    }
    remove(): void {
        void this.put(null);
        void stored("readwrite", (store) => store.delete(this.name));
    }
    private keep(): void { void stored("readwrite", (store) => store.put({ ...this.kept! }, this.name)); }

    private async put(kept: Kept | null): Promise<void> {
        const { material } = this.mesh;
        if (kept) {
            const picture = await createImageBitmap(kept.file), share = Math.min(1, MOST_PIXELS / Math.max(picture.width, picture.height));
            const canvas = document.createElement("canvas"), context = canvas.getContext("2d")!;
            canvas.width = Math.max(1, Math.round(share * picture.width));
            canvas.height = Math.max(1, Math.round(share * picture.height));
            context.fillStyle = "#fff";
            context.fillRect(0, 0, canvas.width, canvas.height);
            context.globalAlpha = FADED;
            context.drawImage(picture, 0, 0, canvas.width, canvas.height);
            material.map?.dispose();
            material.map = new THREE.CanvasTexture(canvas);
            material.map.colorSpace = THREE.SRGBColorSpace;
            material.needsUpdate = true;
        }
        this.kept = kept;
        this.lay();
    }
    private shown = false;
    show(shown: boolean): void {
        this.shown = shown;
        this.lay();
    }
    private lay(): void {
        const { kept, mesh } = this, picture = mesh.material.map?.image as HTMLCanvasElement | undefined;
        mesh.visible = this.shown && kept !== null;
        if (kept && picture) {
            mesh.position.set(kept.x, kept.y, 0);
            mesh.scale.set(kept.width, kept.width * picture.height / picture.width, 1);
        }
        this.changed();
    }
}
