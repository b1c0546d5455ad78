/** The texts of all hosted pages: the same keys in every language, by type. */
import type { english } from './en.js';

/** The same keys with the texts of another language. */
export type TextsLike<Section> = Section extends string
  ? string
  : { readonly [Key in keyof Section]: TextsLike<Section[Key]> };

export type HostedWords = TextsLike<typeof english>;
export type FrameKey = keyof HostedWords['frame'];
export type FailureKind = Exclude<keyof HostedWords['failures'], 'again'>;
