/** The words of an index, read from its buffers when they are compared: most comparisons need only one of their forms. */
import type { ComparedWord } from '../names/compared-word.js';
import { consonants } from '../names/fold.js';
import type { IndexData } from './index-data.js';
import { TextReader } from './packed-texts.js';

export class StoredWords {
  readonly texts: TextReader;
  readonly folded: TextReader;
  readonly sounds: TextReader;

  constructor(readonly data: IndexData) {
    this.texts = new TextReader(data.words);
    this.folded = new TextReader(data.foldedWords);
    this.sounds = new TextReader(data.soundsOfWords);
  }

  at(word: number): ComparedWord {
    return new StoredWord(this, word);
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
    return consonants(this.text);
  }

  get isVowelless(): boolean {
    return this.stored.data.vowelless[this.word] === 1;
  }
}
