/* undo.ts: what undo and redo go back to: states of the model, or models of before.
 *
 * It keeps; whoever asks takes the present down before, and brings back what is handed out.
 */
import type { Engine, JointSettings, Model } from "./engine.ts";
import type { History } from "./history.ts";

const MOST_UNDO = 100;
const MOST_WORLDS = 4; /* models that undo can bring back: each has a module of its own */

export interface Source { text: string; name: string; settings: [string, string][] }
/* A model with all that was made of it. */
export interface World {
    engine: Engine; model: Model; source: Source; initial: JointSettings[]; history: History;
}
export type Snapshot = { label: string; world: World } |
                       { label: string; world?: undefined; state: ArrayBuffer; drives: ArrayBuffer };

export class Undo {
    private past: Snapshot[] = [];
    private future: Snapshot[] = [];

    get canUndo(): boolean { return this.past.length > 0; }
    get canRedo(): boolean { return this.future.length > 0; }

    clear(): void { this.past = this.future = []; }

    private get last(): Snapshot | undefined { return this.past[this.past.length - 1]; }

    /* A change begins. Those with the same label, if they have one, that follow each other (a slider on
     * its way) are one. */
    begin(label: string, present: () => Snapshot): void {
        if (!this.last || label === "" || this.last.label !== label || this.canRedo) {
            this.past.push(present());
            if (this.past.length > MOST_UNDO)
                this.past.shift();
        }
        this.future = [];
    }
    /* Ends a run of changes that count as one. */
    end(): void {
        if (this.last)
            this.last.label = "";
    }

    /* The model of before can come back, unless one can already from the same run of changes. */
    follow(before: World, label: string): void {
        if (!(this.last?.world && this.last.label === label && !this.canRedo))
            this.past.push({ label, world: before });
        this.future = [];
        const worlds = this.past.filter((one) => one.world);
        if (worlds.length > MOST_WORLDS)
            this.past = this.past.slice(this.past.indexOf(worlds[0]!) + 1);
    }

    /* States of before no longer fit; other models do. */
    forgetStates(): void { this.past = this.past.filter((one) => one.world); }
    forgetFuture(): void { this.future = []; }

    /* What to bring back; present: takes down, as a world or as a state, what it replaces. */
    back(present: (whole: boolean) => Snapshot): Snapshot | null { return Undo.swap(this.past, this.future, present); }
    forth(present: (whole: boolean) => Snapshot): Snapshot | null { return Undo.swap(this.future, this.past, present); }
    private static swap(from: Snapshot[], to: Snapshot[], present: (whole: boolean) => Snapshot): Snapshot | null {
        const taken = from.pop();
        if (!taken)
            return null;
        to.push(present(taken.world !== undefined));
        return taken;
    }
}
