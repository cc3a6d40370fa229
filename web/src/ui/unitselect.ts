/* unitselect.ts: a choice of units; there may be several of one quantity, which show the same. */
import type { App } from "../app.ts";
import { BY_SIZE, TABLE } from "../display.ts";
import type { Quantity } from "../display.ts";
import { el } from "./dom.ts";
import { t } from "../words/words.ts";

export function unitSelect(app: App, quantity: Quantity): HTMLSelectElement {
    const by = quantity === "length" ? [el("option", { value: BY_SIZE }, t("by size"))] : [];
    const select = el("select", { "aria-label": t("unit of {0}", TABLE[quantity].title), "data-unit": quantity }, ...by,
        ...TABLE[quantity].units.map(({ word, name }) => el("option", { value: word }, name)));
    select.value = app.display.chosen(quantity);
    select.addEventListener("change", () => {
        document.querySelectorAll<HTMLSelectElement>(`[data-unit=${quantity}]`).forEach((one) => { one.value = select.value; });
        void app.setUnit(quantity, select.value);
    });
    return select;
}
