// Dragging of rows and blocks. At the edges of the window, it scrolls the page.
import Sortable, { AutoScroll } from "sortablejs/modular/sortable.core.esm.js";

Sortable.mount(new AutoScroll());
export default Sortable;
