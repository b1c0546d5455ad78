/** The words of an index, read from its buffers when they are compared: most comparisons need only one of their forms. */
import type { ComparedWord } from '../names/compared-word.js';
import { shortestWithTwoErrors } from '../names/similarity.js';
import type { IndexData } from './index-data.js';
import { TextReader } from './packed-texts.js';

export class StoredWords {
  readonly texts: TextReader;
  readonly folded: TextReader;
  readonly sounds: TextReader;
  readonly consonants: TextReader;

  constructor(readonly data: IndexData) {
    this.texts = new TextReader(data.words);
    this.folded = new TextReader(data.foldedWords);
    this.sounds = new TextReader(data.soundsOfWords);
    this.consonants = new TextReader(data.consonantsOfWords);
  }

  at(word: number): ComparedWord {
    return new StoredWord(this, word);
  }

  /**
   * False when the spellings surely differ by more letters than typing errors explain. Among a million names a word shares
   * a key with about seven hundred others and resembles eleven of them. Most are told apart here, without making a text.
   */
  mayBeNear(word: number, { text, folded, consonants, isVowelless }: ComparedWord): boolean {
    if (isVowelless || this.data.vowelless[word] === 1) {
      return this.consonants.mayBeOneErrorAway(word, consonants);
    }
    const shorter = Math.min(text.length, this.texts.lengthOf(word));
    return (
      shorter >= shortestWithTwoErrors ||
      this.texts.mayBeOneErrorAway(word, text) ||
      this.folded.mayBeOneErrorAway(word, folded)
    );
  }
}

class StoredWord implements ComparedWord {
  readonly text: string;

  constructor(
    readonly stored: StoredWords,
    readonly word: number,
  ) {
    this.text = stored.texts.readAscii(word);
  }

  get folded(): string {
    return this.stored.folded.readAscii(this.word);
  }

  get sounds(): readonly string[] {
    const text = this.stored.sounds.readAscii(this.word);
    return text === '' ? [] : text.split(' ');
  }

  get consonants(): string {
    return this.stored.consonants.readAscii(this.word);
  }

  get isVowelless(): boolean {
    return this.stored.data.vowelless[this.word] === 1;
  }
}
