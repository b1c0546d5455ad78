/** The texts of the transfer page: the same keys in every language, by type. */
import type { TextsLike } from '../../../hosted-pages/words/catalogue.js';
import type { english } from './en.js';

export type TransferCatalogue = TextsLike<typeof english>;
