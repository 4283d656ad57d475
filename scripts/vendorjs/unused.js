// Stands in for packages that @codemirror/lang-markdown imports for what the admin area does not use: parsers of HTML,
// CSS and JavaScript, and the completion of HTML tags. HTML inside of Markdown is shown as it is.
export const html = () => ({ language: {}, support: [] });
export const htmlCompletionSource = () => null;
export class CompletionContext {}
