// Counts clicks, and the fields that are typed into. What a person does is trusted; what scripts do is not.
(() => {
  const add = () => (sessionStorage.effort = Number(sessionStorage.effort || 0) + 1);
  let field;
  addEventListener("click", (event) => {
    if (event.isTrusted && event.detail > 0) add();
  }, true);
  addEventListener("input", (event) => {
    if (!event.isTrusted || event.target === field || event.target.matches("[type=checkbox], [type=radio], select")) return;
    field = event.target;
    add();
  }, true);
})();
