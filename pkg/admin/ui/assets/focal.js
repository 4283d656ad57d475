// The focal point and the crop of a picture are marked on it, beside previews of what sites cut from it. A click sets the
// point, the arrow keys with Alt move it. The crop has a box that is dragged, and moved by the arrow keys.
"use strict";

for (const picture of document.querySelectorAll("img.focal")) {
  const input = document.getElementById(picture.dataset.for);
  const numbers = ["x", "y", "width", "height"].map((key) => document.getElementById(`f-crop.${key}`));
  const group = document.getElementById("f-crop");
  const whole = { x: 0, y: 0, width: 1, height: 1 };
  const least = 0.02;
  const gripSize = 28; // pixels
  const clamp = (v, from, to) => Math.max(from, Math.min(v, to));
  const round = (v, parts) => Math.round(v * parts) / parts;

  const svg = (tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const place = (element, places) => Object.entries(places).forEach(([name, part]) => element.setAttribute(name, `${part * 100}%`));
  const layer = svg("svg", {});
  const mark = svg("circle", { r: 12 });
  const shades = [0, 1, 2, 3].map(() => svg("rect", { class: "shade" }));
  const grips = []; // the box first, then its corners
  const frame = make("div", { className: "focus-point" });
  const cuts = make("div", { className: "cuts" });
  const shapes = { "16:9": 16 / 9, "1:1": 1, "4:5": 4 / 5 };
  const canvases = Object.entries(shapes).map(([name, shape]) => {
    const canvas = make("canvas", { height: 180, width: Math.round(180 * shape), role: "img", ariaLabel: t("How sites show it in {1}", name) });
    cuts.append(make("figure", {}, canvas, make("figcaption", { textContent: name, ariaHidden: "true" })));
    return [canvas, shape];
  });
  const beside = make("div", { className: "focus" });
  picture.replaceWith(beside);
  beside.append(frame, cuts);
  picture.draggable = false;
  input.dir = "ltr"; // it holds numbers from the left and from the top
  frame.append(picture, layer);
  layer.append(...shades);

  // box is the crop, point the focal point, null for none. Both are in fractions of the whole picture; the field has
  // the point in fractions of the crop, as sites do.
  let box, point, shape;
  const readBox = () => {
    const [x, y, width, height] = numbers.map((n) => (n?.value ? Number(n.value) : NaN));
    box = x >= 0 && y >= 0 && width > 0 && height > 0 && x + width <= 1 && y + height <= 1 ? { x, y, width, height } : whole;
  };
  const readPoint = () => {
    const [x, y] = input.value.split(",").map(Number);
    point = isNaN(x + y) ? null : { x: box.x + x * box.width, y: box.y + y * box.height };
  };
  const inBox = () => point && { x: round(clamp((point.x - box.x) / box.width, 0, 1), 1e4), y: round(clamp((point.y - box.y) / box.height, 0, 1), 1e4) };

  // cut is the part that sites show in a shape, in pixels: the largest in the crop, around the focal point. NewPlan in
  // pkg/assets/picture computes the same.
  const cut = (shape) => {
    const edges = (at, size, pixels) => [Math.min(Math.round(at * pixels), pixels - 1), Math.min(Math.round((at + size) * pixels), pixels)];
    const [left, right] = edges(box.x, box.width, picture.naturalWidth);
    const [top, bottom] = edges(box.y, box.height, picture.naturalHeight);
    const [width, height] = [Math.max(1, right - left), Math.max(1, bottom - top)];
    const unit = Math.min(width / shape, height);
    const [partWidth, partHeight] = [Math.max(1, Math.round(unit * shape)), Math.max(1, Math.round(unit))];
    const { x, y } = inBox() || { x: 0.5, y: 0.5 };
    const start = (at, all, part) => clamp(Math.round(at * all - part / 2), 0, all - part);
    return [left + start(x, width, partWidth), top + start(y, height, partHeight), partWidth, partHeight];
  };

  // gripStarts returns where the grips of the two ends of the box begin on an axis with so many pixels: inside of the
  // box, or beside it where it has no room for both.
  const gripStarts = (from, to, pixels) => {
    const [start, end] = [from * pixels, to * pixels];
    if (end - start >= 2 * gripSize) return [start, end - gripSize];
    const most = pixels - 2 * gripSize;
    const first = most < 0 ? most / 2 : clamp(start - gripSize, 0, most);
    return [first, Math.max(first + gripSize, Math.min(end, pixels - gripSize))];
  };

  const show = () => {
    const { x, y } = inBox() || { x: 0.5, y: 0.5 };
    place(mark, { cx: box.x + x * box.width, cy: box.y + y * box.height });
    frame.classList.toggle("cropped", box.width < 1 || box.height < 1);
    const [right, bottom] = [box.x + box.width, box.y + box.height];
    place(shades[0], { x: 0, y: 0, width: 1, height: box.y });
    place(shades[1], { x: 0, y: bottom, width: 1, height: Math.max(0, 1 - bottom) });
    place(shades[2], { x: 0, y: box.y, width: box.x, height: box.height });
    place(shades[3], { x: right, y: box.y, width: Math.max(0, 1 - right), height: box.height });
    const { width: shownWidth, height: shownHeight } = picture.getBoundingClientRect();
    frame.classList.toggle("thin", Math.min(shownWidth, shownHeight) < 2 * gripSize);
    const [across, down] = [gripStarts(box.x, right, shownWidth), gripStarts(box.y, bottom, shownHeight)];
    for (const grip of grips) {
      const { corner } = grip.dataset;
      if (!corner) place(grip, box);
      else grip.setAttribute("transform", `translate(${across[Number(corner.includes("r"))]} ${down[Number(corner.includes("b"))]})`);
    }
    const [width, height] = [picture.naturalWidth, picture.naturalHeight];
    if (!width) return;
    picture.width = width * Math.min(384 / height, Math.max(1, 240 / Math.min(width, height))); // room for the corners
    for (const [canvas, shape] of canvases) canvas.getContext("2d").drawImage(picture, ...cut(shape), 0, 0, canvas.width, canvas.height);
  };
  const setPoint = (x, y) => {
    point = { x: round(clamp(x, box.x, box.x + box.width), 1e3), y: round(clamp(y, box.y, box.y + box.height), 1e3) };
    input.value = Object.values(inBox()).join(", ");
    show();
  };
  // setBox keeps the focal point where it is in the picture.
  const setBox = (next) => {
    const [x, y] = [round(next.x, 1e4), round(next.y, 1e4)];
    box = { x, y, width: round(round(next.x + next.width, 1e4) - x, 1e4), height: round(round(next.y + next.height, 1e4) - y, 1e4) };
    const all = box.width === 1 && box.height === 1;
    numbers.forEach((n, i) => (n.value = all ? "" : Object.values(box)[i]));
    if (point) input.value = Object.values(inBox()).join(", ");
    show();
  };

  // moved returns a box after a drag of one of its corners, such as "lt" for the upper left one, or of all of it.
  const moved = (from, corner, dx, dy) => {
    if (!corner) return { ...from, x: clamp(from.x + dx, 0, 1 - from.width), y: clamp(from.y + dy, 0, 1 - from.height) };
    const [left, up, right, bottom] = [corner.includes("l"), corner.includes("t"), from.x + from.width, from.y + from.height];
    const [mostWidth, mostHeight] = [left ? right : 1 - from.x, up ? bottom : 1 - from.y];
    let width = clamp(from.width + (left ? -dx : dx), least, mostWidth);
    let height = clamp(from.height + (up ? -dy : dy), least, mostHeight);
    if (shape) {
      const slope = picture.naturalWidth / picture.naturalHeight / shape; // height for a width, in fractions
      width = Math.min(Math.abs(dy) > Math.abs(dx) * slope ? height / slope : width, mostWidth, mostHeight / slope);
      height = width * slope;
    }
    return { x: left ? right - width : from.x, y: up ? bottom - height : from.y, width, height };
  };

  let [dragged, pressed] = [false, null];
  if (group) {
    const grip = (tag, label, attributes) => grips.push(svg(tag, { role: "button", tabindex: 0, "aria-label": label, ...attributes }));
    grip("rect", t("Crop: drag it, or press the arrow keys"), { class: "crop-box" });
    const corners = { lt: t("Upper left corner of the crop: drag it, or press the arrow keys"), rt: t("Upper right corner of the crop: drag it, or press the arrow keys"), rb: t("Lower right corner of the crop: drag it, or press the arrow keys"), lb: t("Lower left corner of the crop: drag it, or press the arrow keys") };
    for (const [corner, label] of Object.entries(corners)) {
      grip("g", label, { class: "grip", "data-corner": corner });
      const near = 2;
      const far = gripSize - near;
      const [x, y] = [corner.includes("r") ? far : near, corner.includes("b") ? far : near];
      grips.at(-1).append(svg("rect", { width: gripSize, height: gripSize }), svg("path", { d: `M${gripSize - x} ${y}H${x}V${gripSize - y}` }));
    }
    layer.append(...grips);

    const select = make("select", { id: "crop-shape" });
    for (const [text, value] of [[t("Free"), 0], [t("Original"), "original"], ...Object.keys(shapes).map((name) => [name, name])]) select.append(make("option", { textContent: text, value }));
    const reset = make("button", { type: "button", textContent: t("Whole picture") });
    group.querySelector(".cols").before(make("div", { className: "crop-tools" }, make("label", { htmlFor: select.id, textContent: t("Shape") }), select, reset));
    reset.onclick = () => {
      select.value = shape = 0;
      setBox(whole);
    };
  }
  layer.append(mark);
  frame.addEventListener("pointerdown", (event) => {
    [dragged, pressed] = [false, event];
    const grip = event.target.closest("[tabindex]");
    if (event.button || !grip) return;
    const { corner } = grip.dataset;
    const [from, { width, height }] = [box, frame.getBoundingClientRect()];
    const [startX, startY] = [event.clientX, event.clientY];
    grip.setPointerCapture(event.pointerId);
    grip.onpointermove = ({ clientX, clientY }) => {
      dragged ||= Math.hypot(clientX - startX, clientY - startY) > 3;
      if (dragged) setBox(moved(from, corner, (clientX - startX) / width, (clientY - startY) / height));
    };
    grip.onpointerup = grip.onpointercancel = () => (grip.onpointermove = null);
  });
  frame.addEventListener("click", ({ detail, target }) => {
    if (dragged || !detail || target.closest("[data-corner]")) return; // a key has no place
    const { left, top, width, height } = frame.getBoundingClientRect();
    setPoint((pressed.clientX - left) / width, (pressed.clientY - top) / height); // a click has whole pixels only
  });
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  frame.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    setBox(moved(box, event.target.dataset.corner, step[0] / 100, step[1] / 100));
  });
  input.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step || !event.altKey) return;
    event.preventDefault();
    const { x, y } = point || { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    setPoint(x + step[0] / 50, y + step[1] / 50);
  });
  const read = () => {
    readBox();
    readPoint();
    show();
  };
  input.addEventListener("input", read);
  for (const n of numbers) {
    n?.addEventListener("input", () => {
      readBox();
      if (point) input.value = Object.values(inBox()).join(", ");
      show();
    });
  }
  document.getElementById("crop-shape")?.addEventListener("change", ({ target }) => {
    const original = picture.naturalWidth / picture.naturalHeight;
    shape = target.value === "original" ? original : shapes[target.value] || 0;
    if (!shape) return;
    const [width, height] = [Math.min(1, shape / original), Math.min(1, original / shape)];
    const { x, y } = point || { x: 0.5, y: 0.5 };
    setBox({ x: clamp(x - width / 2, 0, 1 - width), y: clamp(y - height / 2, 0, 1 - height), width, height });
  });
  picture.addEventListener("load", show);
  new ResizeObserver(show).observe(picture);
  read();
  addEventListener("pageshow", read); // a browser restores texts on the way back
}
