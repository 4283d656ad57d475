// Dragging of rows and blocks.
export { default } from "sortablejs/modular/sortable.core.esm.js";
