// Counts clicks, and the fields that are typed into. What a person does is trusted; what scripts do is not.
(() => {
  const add = () => (sessionStorage.effort = Number(sessionStorage.effort || 0) + 1);
  let field;
  addEventListener("pointerdown", (event) => { // a click on a label would be one on its box too
    if (event.isTrusted) add();
  }, true);
  addEventListener("input", (event) => {
    if (!event.isTrusted || event.target === field || event.target.matches("[type=checkbox], [type=radio], select")) return;
    field = event.target;
    add();
  }, true);
})();
