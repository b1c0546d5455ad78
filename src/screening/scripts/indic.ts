/**
 * Names in the scripts of India. Unicode arranges nine of them alike, so that one table of places reads them all. A
 * consonant is followed by an a unless a vowel or the sign virama says otherwise.
 */

const blocks = [
  ['Devanagari', 0x0900],
  ['Bengali', 0x0980],
  ['Gurmukhi', 0x0a00],
  ['Gujarati', 0x0a80],
  ['Oriya', 0x0b00],
  ['Tamil', 0x0b80],
  ['Telugu', 0x0c00],
  ['Kannada', 0x0c80],
  ['Malayalam', 0x0d00],
] as const;
type Block = (typeof blocks)[number][0];

const vowels = 'a a i i u u ri li e e e ai o o o au'.split(' ');
const consonants = 'k kh g gh n ch chh j jh n t th d dh n t th d dh n n p ph b bh m y r r l l l v sh sh s h'.split(' ');
/** From the sign of aa on. */
const vowelSigns = 'a i i u u ri ri e e e ai o o o au'.split(' ');
const virama = 0x4d;
const nukta = 0x3c;
/** Letters with a dot below: the sounds of Persian and Hindi words. */
const dotted: Readonly<Record<string, string>> = {
  k: 'q',
  kh: 'kh',
  g: 'gh',
  j: 'z',
  d: 'r',
  dh: 'rh',
  ph: 'f',
  y: 'y',
};
/** Bindu, chandrabindu and tippi. */
const nasalSigns: ReadonlySet<number> = new Set([0x01, 0x02, 0x70]);
/** Consonants that never have a vowel. */
const loneConsonants: Readonly<Record<string, string>> = { ৎ: 't', ൺ: 'n', ൻ: 'n', ർ: 'r', ൽ: 'l', ൾ: 'l', ൿ: 'k' };
/** These write no a at the end of a word, and leave it out between two consonants that stand between vowels. */
const dropsFinalA: ReadonlySet<Block> = new Set(['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati']);

const indic =
  /^[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\u0964\u0965]+$/u;

export function isIndic(word: string): boolean {
  return indic.test(word);
}

/** Tamil names begin with initials, which are written as the letter is called, in English or in Tamil. */
const tamilInitials = new Map(
  'ஏa பிb சிc டிtd இe எஃப்f ஜிg எச்h ஐi ஜேj ஜெj கேk எல்l எம்m என்n ஓo கியூq ஆர்r எஸ்s யுu வீv விv இராr முm கk அa ஆa தt நn பp மm சs ரr வv'
    .split(' ')
    .map((pair) => [pair.replace(/[a-z]+$/, ''), pair.replace(/^[^a-z]+/, '')] as const),
);

interface Sound {
  consonant: string;
  vowel: string;
  /** The vowel is not written. */
  isInherent: boolean;
  isNasalSign?: boolean;
}

/** Clusters that Tamil says otherwise than it writes them: tsh as ksh, rr as tr (Vetri), nr as ndr. */
const tamilClusters = [
  ['ட்ச', 'க்ஷ'],
  ['ற்ற', 'ட்ர'],
  ['ன்ற', 'ண்ட்ர'],
] as const;

/**
 * The spellings of a word: as in Sanskrit and Hindi; as Bengali and Tamil are spoken; and with the sounds for which
 * these two have no letter (z, h), as in names from Arabic; in Tamil also with voiced sounds at the beginning (Dhoni),
 * and with j for ch (Raja). Once for other scripts.
 */
export function indicWords(word: string): string[] {
  const initial = tamilInitials.get(word);
  if (initial !== undefined) return [...initial];
  const block = blocks.find(([, start]) => start === ((word.codePointAt(0) ?? 0) & ~0x7f))?.[0] ?? 'Devanagari';
  const composed = word.normalize('NFC').replaceAll('ওয\u09bc', 'ৱ');
  const written = soundsOf(
    tamilClusters.reduce((text, [from, to]) => text.replaceAll(from, to), composed),
    block,
  );
  if (dropsFinalA.has(block)) dropUnspoken(written);
  const spoken = written.map((sound, index) => spokenSound(sound, written[index - 1], block));
  const borrowed = (block === 'Tamil' ? spoken : written).map((sound, index) => borrowedSound(sound, index, block));
  const foreign = block === 'Tamil' ? foreignSounds(borrowed) : [];
  return [
    ...new Set(
      [written, spoken, borrowed, ...foreign].map((sounds) =>
        sounds.map(({ consonant, vowel }) => consonant + vowel).join(''),
      ),
    ),
  ];
}

function soundsOf(word: string, block: Block): Sound[] {
  const sounds: Sound[] = [];
  for (const letter of word) {
    const place = (letter.codePointAt(0) ?? 0) & 0x7f;
    const sound = letterSound(letter, place, block);
    if (sound) sounds.push(sound);
    else applySign(sounds, place);
  }
  for (const [index, sound] of sounds.entries()) {
    if (sound.isNasalSign) sound.consonant = nasalBefore(sounds[index + 1]?.consonant ?? '');
  }
  return sounds;
}

/** A nasal sign is said as the consonant that follows it: Ambani, Singh. */
function nasalBefore(next: string): string {
  if (/^[pbm]/.test(next)) return 'm';
  return next === 'h' ? 'ng' : 'n';
}

function letterSound(letter: string, place: number, block: Block): Sound | undefined {
  const lone = loneConsonants[letter];
  if (lone !== undefined) return { consonant: lone, vowel: '', isInherent: false };
  if (letter === 'ৱ') return { consonant: 'w', vowel: 'a', isInherent: true };
  if (place === 0x34 && block === 'Tamil') return { consonant: 'zh', vowel: 'a', isInherent: true };
  if (place >= 0x15 && place <= 0x39)
    return { consonant: consonants[place - 0x15] ?? '', vowel: 'a', isInherent: true };
  if (place >= 0x05 && place <= 0x14) return { consonant: '', vowel: vowels[place - 0x05] ?? '', isInherent: false };
  return undefined;
}

/** A sign changes the sound before it. */
function applySign(sounds: Sound[], place: number): void {
  const last = sounds.at(-1);
  if (!last) return;
  if (place >= 0x3e && place <= 0x4c) setVowel(last, vowelSigns[place - 0x3e] ?? '');
  else if (place === virama) setVowel(last, '');
  else if (place === nukta) last.consonant = dotted[last.consonant] ?? last.consonant;
  else if (nasalSigns.has(place)) sounds.push({ consonant: 'n', vowel: '', isInherent: false, isNasalSign: true });
}

function setVowel(sound: Sound, vowel: string): void {
  sound.vowel = vowel;
  sound.isInherent = false;
}

/** The a at the end, and the a of the middle syllable in raj(a)kumar: between two vowels, one consonant apart. */
function dropUnspoken(sounds: Sound[]): void {
  const last = sounds.at(-1);
  const before = sounds.at(-2);
  const isCluster = before?.vowel === '' && !before.isNasalSign && sounds.length > 2;
  if (before && last?.isInherent && !isCluster) last.vowel = '';
  for (let index = sounds.length - 2; index > 0; index -= 1) {
    const [previous, sound, after] = [sounds[index - 1], sounds[index], sounds[index + 1]];
    if (sound?.isInherent && previous?.vowel && after?.vowel && sound.consonant && after.consonant) sound.vowel = '';
  }
}

/** Bengali says o for the a that is not written; Tamil has one letter for b and p, d and t, g and k, s and ch. */
function spokenSound({ consonant, vowel, isInherent }: Sound, before: Sound | undefined, block: Block): Sound {
  if (block === 'Bengali') {
    const said = consonant === 'y' && !before ? 'j' : consonant;
    return { consonant: said, vowel: isInherent && vowel ? 'o' : vowel, isInherent };
  }
  if (block !== 'Tamil') return { consonant, vowel, isInherent };
  const isSoft = before ? before.vowel !== '' || /^[nm]/.test(before.consonant) : consonant === 'ch';
  return { consonant: isSoft ? (softOf[consonant] ?? consonant) : consonant, vowel, isInherent };
}

const softOf: Readonly<Record<string, string>> = { k: 'g', t: 'd', th: 'dh', p: 'b', ch: 's', zh: 'l' };

/** Words from other languages: a voiced beginning, no u at the end, f for a p at the end; and with j for s. */
function foreignSounds(borrowed: readonly Sound[]): Sound[][] {
  const voiced = borrowed.map((sound, index) => {
    const isLast = index === borrowed.length - 1;
    const consonant = isLast && sound.vowel === '' && /^[pb]$/.test(sound.consonant) ? 'f' : sound.consonant;
    const vowel = isLast && index > 1 && sound.vowel === 'u' ? '' : sound.vowel;
    return { ...sound, vowel, consonant: index === 0 ? (voicedOf[consonant] ?? consonant) : consonant };
  });
  return [voiced, voiced.map((sound) => (sound.consonant === 's' ? { ...sound, consonant: 'j' } : sound))];
}

const voicedOf: Readonly<Record<string, string>> = { k: 'g', t: 'd', th: 'dh', p: 'b' };

/** Bengali writes z as j, Tamil writes h as k. */
function borrowedSound({ consonant, ...sound }: Sound, index: number, block: Block): Sound {
  if (block === 'Bengali' && /^[jy]$/.test(consonant) && !(consonant === 'y' && sound.vowel === ''))
    return { ...sound, consonant: 'z' };
  if (block === 'Tamil' && index > 0 && consonant === 'g') return { ...sound, consonant: 'h' };
  return { ...sound, consonant };
}
