/** The texts of the receipt: the same keys in every language, by type. */
import type { english } from './en.js';

type Text<Section> = Section extends string ? string : { readonly [Key in keyof Section]: Text<Section[Key]> };

export type ReceiptCatalogue = Text<typeof english>;
