// The focal point of a picture is marked on it. A click sets it, the arrow keys with Alt move it.
"use strict";

for (const picture of document.querySelectorAll("img.focal")) {
  const input = document.getElementById(picture.dataset.for);
  const svg = (tag) => document.createElementNS("http://www.w3.org/2000/svg", tag);
  const [layer, mark] = [svg("svg"), svg("circle")];
  layer.append(mark);
  layer.setAttribute("aria-hidden", "true");
  mark.setAttribute("r", "12");
  const frame = document.createElement("div");
  frame.className = "focus-point";
  picture.replaceWith(frame);
  frame.append(picture, layer);
  const read = () => {
    try {
      return { x: 0.5, y: 0.5, ...JSON.parse(input.value || "{}") };
    } catch {
      return { x: 0.5, y: 0.5 };
    }
  };
  const show = () => {
    const { x, y } = read();
    mark.setAttribute("cx", `${x * 100}%`);
    mark.setAttribute("cy", `${y * 100}%`);
  };
  const part = (v) => Math.round(Math.min(1, Math.max(0, v)) * 1000) / 1000;
  const set = (x, y) => {
    input.value = JSON.stringify({ x: part(x), y: part(y) });
    show();
  };
  picture.addEventListener("click", ({ offsetX, offsetY }) => set(offsetX / picture.width, offsetY / picture.height));
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: [-0.02, 0], ArrowRight: [0.02, 0], ArrowUp: [0, -0.02], ArrowDown: [0, 0.02] }[event.key];
    if (!step || !event.altKey) return;
    event.preventDefault();
    const { x, y } = read();
    set(x + step[0], y + step[1]);
  });
  show();
}
