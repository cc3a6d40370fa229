/* undo.ts: what undo and redo go back to: states of the model, or models of before.
 *
 * It keeps; whoever asks takes the present down before, and brings back what is handed out.
 */
import type { Engine, JointSettings, Model } from "./engine.ts";
import type { History } from "./history.ts";

const MOST_UNDO = 400;
/* Models that undo can bring back as they were: each has a module of its own. Of older ones the text is kept,
 * and the model is made of that again. */
const MOST_WORLDS = 4;

export interface Source { text: string; name: string; settings: [string, string][] }
/* A model with all that was made of it. */
export interface World {
    engine: Engine; model: Model; source: Source; initial: JointSettings[]; history: History;
}
export type Snapshot = { label: string; kind: "world"; world: World } |
                       { label: string; kind: "text"; source: Source } |
                       { label: string; kind: "state"; state: ArrayBuffer; drives: ArrayBuffer };

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
    /* Ends a run of changes that count as one; back: the text, if it is the one that the run began with. */
    end(back = ""): void {
        const { last } = this;
        if (last?.kind === "world" && last.label !== "" && back !== "" && last.world.source.text === back)
            this.past.pop();
        else if (last)
            last.label = "";
    }

    /* The model of before can come back, unless one can already from the same run of changes. */
    follow(before: World, label: string): void {
        if (!(this.last?.kind === "world" && this.last.label === label && !this.canRedo))
            this.past.push({ label, kind: "world", world: before });
        this.future = [];
        this.past = Undo.trimmed(this.past);
    }

    /* Of the models that are farthest away only the text is left; states that belong to them are gone. */
    private static trimmed(list: Snapshot[]): Snapshot[] {
        const worlds = list.filter((one) => one.kind === "world");
        const oldest = worlds[worlds.length - MOST_WORLDS], at = oldest ? list.indexOf(oldest) : 0;
        return list.flatMap((one, k): Snapshot[] => k >= at ? [one] : one.kind === "state" ? []
            : one.kind === "world" ? [{ label: "", kind: "text", source: one.world.source }] : [one]).slice(-MOST_UNDO);
    }

    /* States of before no longer fit; other models do. */
    forgetStates(): void { this.past = this.past.filter((one) => one.kind !== "state"); }
    forgetFuture(): void { this.future = []; }

    /* What to bring back; present: takes down, as a world or as a state, what it replaces. */
    back(present: (whole: boolean) => Snapshot): Snapshot | null {
        const taken = Undo.swap(this.past, this.future, present);
        this.future = Undo.trimmed(this.future);
        return taken;
    }
    forth(present: (whole: boolean) => Snapshot): Snapshot | null {
        const taken = Undo.swap(this.future, this.past, present);
        this.past = Undo.trimmed(this.past);
        return taken;
    }
    private static swap(from: Snapshot[], to: Snapshot[], present: (whole: boolean) => Snapshot): Snapshot | null {
        const taken = from.pop();
        if (!taken)
            return null;
        to.push(present(taken.kind !== "state"));
        return taken;
    }
}
