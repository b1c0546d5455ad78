/** Finds active content in a PDF: scripts, actions, embedded files, media. */
import { PDFArray, PDFDict, PDFHexString, PDFName, type PDFObject, PDFString } from '@cantoo/pdf-lib';
import { dictionariesIn, type FoundDictionary } from './pdf-walk.js';

/** The library decodes names and interns them, so `/J#61vaScript` is the same object as `/JavaScript`. */
function names(...texts: string[]): ReadonlySet<PDFObject> {
  return new Set(texts.map((text) => PDFName.of(text)));
}

const activeKeys = names(
  'JS',
  'JavaScript',
  'AA',
  'Launch',
  'EF',
  'EmbeddedFile',
  'EmbeddedFiles',
  'XFA',
  'RichMedia',
  'RichMediaContent',
  'RichMediaSettings',
);
/** Values of `S`, the type of an action. `GoTo` (a place in the document) and `URI` (a link) are harmless. */
const activeActions = names(
  'JavaScript',
  'Launch',
  'SubmitForm',
  'ImportData',
  'GoToR',
  'GoToE',
  'GoTo3DView',
  'Rendition',
  'RichMediaExecute',
  'Movie',
  'Sound',
);
/** Values of `Type` and `Subtype`. */
const activeTypes = names('EmbeddedFile', 'FileAttachment', 'RichMedia', 'Screen', 'Movie', 'Sound', '3D', 'PS');
/** Keys of a stream whose data is in another file. */
const externalFileKeys = ['F', 'FFilter', 'FDecodeParms'].map((text) => PDFName.of(text));

const openAction = PDFName.of('OpenAction');
const action = PDFName.of('S');
const goTo = PDFName.of('GoTo');
const typeKeys = ['Type', 'Subtype'].map((text) => PDFName.of(text));

/** Looks into one object. Call it with all of them, including those that no page refers to and those inside object streams. */
export function isActive(object: PDFObject): boolean {
  for (const found of dictionariesIn(object)) if (isActiveDictionary(found)) return true;
  return false;
}

function isActiveDictionary({ dictionary, isOfStream }: FoundDictionary): boolean {
  return (
    dictionary.keys().some((key) => activeKeys.has(key)) ||
    isOneOf(dictionary.lookup(action), activeActions) ||
    typeKeys.some((key) => isOneOf(dictionary.lookup(key), activeTypes)) ||
    (isOfStream && externalFileKeys.some((key) => dictionary.has(key))) ||
    !isHarmlessOpening(dictionary)
  );
}

/** Most word processors write a page to open at. Anything else in `OpenAction` is an action. */
function isHarmlessOpening(dictionary: PDFDict): boolean {
  const opening = dictionary.lookup(openAction);
  if (opening === undefined || opening instanceof PDFArray) return true;
  if (opening instanceof PDFString || opening instanceof PDFHexString || opening instanceof PDFName) return true;
  return opening instanceof PDFDict && opening.lookup(action) === goTo;
}

function isOneOf(value: PDFObject | undefined, known: ReadonlySet<PDFObject>): boolean {
  return value !== undefined && known.has(value);
}
