export function generatedClient(documentText: string): Record<string, string>;
