export function generatedClient(documentText: string): Record<string, string>;
export function pythonTable(documentText: string): string;
