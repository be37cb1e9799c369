export function writeChanged(path: string, text: string): void;
