/* hidden.ts: bodies that are not drawn, by name, with the joints whose bodies are all hidden. */
import type { Model } from "../engine.ts";
import type { Primitive } from "./parts.ts";

export class Hidden {
    private names = new Set<string>();
    private bodies = new Set<number>();
    private joints = new Set<number>();

    isHidden(name: string): boolean { return this.names.has(name); }
    get any(): boolean { return this.bodies.size > 0; }

    /* Of that model, in place of those before; what it has not got is forgotten. */
    set(model: Model, names: Iterable<string>): void {
        const wanted = new Set(names), all = [...model.bodies.keys()];
        this.bodies = new Set(all.filter((body) => wanted.has(model.bodies[body]!.name)));
        this.names = new Set([...this.bodies].map((body) => model.bodies[body]!.name));
        const isAway = (body: number) => body < 0 || this.bodies.has(body);
        this.joints = new Set(this.any ? [...model.joints.keys()].filter((joint) =>
            isAway(model.joints[joint]!.a) && isAway(model.joints[joint]!.b)) : []);
    }
    follow(model: Model): void { this.set(model, this.names); }
    all(): string[] { return [...this.names]; }

    has(p: Primitive): boolean { return p.body >= 0 ? this.bodies.has(p.body) : this.joints.has(p.joint); }
}
