/* queue.ts: works one after the other, in the order in which they were handed in.
 *
 * What a work waits for must not be handed to the same queue: it would wait for itself.
 */
export class Queue {
    private last: Promise<unknown> = Promise.resolve();

    run<T>(work: () => T | Promise<T>): Promise<T> {
        const result = this.last.then(work);
        this.last = result.catch(() => {}); /* whoever asked hears of a failure; the next goes on */
        return result;
    }
}
