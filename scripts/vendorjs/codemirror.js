// What the admin area's editor of Markdown uses of other libraries.
export { EditorState, EditorSelection, StateField, StateEffect, Compartment, Prec } from "@codemirror/state";
export { EditorView, Decoration, ViewPlugin, WidgetType, keymap, runScopeHandlers } from "@codemirror/view";
export { history, historyKeymap, standardKeymap } from "@codemirror/commands";
export { Language, LanguageSupport, HighlightStyle, syntaxHighlighting, syntaxTree } from "@codemirror/language";
export { markdownLanguage, insertNewlineContinueMarkup, deleteMarkupBackward } from "@codemirror/lang-markdown";
export { tags } from "@lezer/highlight";
