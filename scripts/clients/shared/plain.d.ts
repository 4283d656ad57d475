/** Takes the invisible marks of a preview with source=stega out of a text. */
export function plain(text: string): string;
