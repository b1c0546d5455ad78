/** The texts of the disclosure: the same keys in every language, by type. */
import type { TextsLike } from '../../../hosted-pages/words/catalogue.js';
import type { english } from './en.js';

export type DisclosureCatalogue = TextsLike<typeof english>;
