/** Finds what does something in a PDF instead of showing something. */
import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFString,
} from '@cantoo/pdf-lib';
import { dictionariesIn, type FoundDictionary } from './pdf-walk.js';

/** The library has one object for each name, however it was spelled: `/J#61vaScript` is `/JavaScript`. */
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
/** Values of `S`, which says what an action does. A destination in the document and an address to open are not among them. */
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
const activeTypes = names(
  'EmbeddedFile',
  'FileAttachment',
  'RichMedia',
  'Screen',
  'Movie',
  'Sound',
  '3D',
  'PS',
);
/** In a stream's dictionary: its data are in another file. */
const outsideKeys = ['F', 'FFilter', 'FDecodeParms'].map((text) => PDFName.of(text));

const openAction = PDFName.of('OpenAction');
const action = PDFName.of('S');
const goTo = PDFName.of('GoTo');
const typeKeys = ['Type', 'Subtype'].map((text) => PDFName.of(text));

/** In all objects, also in those that no page leads to and those that came out of object streams. */
export function isAnythingActive(context: PDFContext): boolean {
  return context.enumerateIndirectObjects().some(([, object]) => isActive(object));
}

function isActive(object: PDFObject): boolean {
  for (const found of dictionariesIn(object)) if (isActiveDictionary(found)) return true;
  return false;
}

function isActiveDictionary({ dictionary, isOfStream }: FoundDictionary): boolean {
  return (
    dictionary.keys().some((key) => activeKeys.has(key)) ||
    isOneOf(dictionary.lookup(action), activeActions) ||
    typeKeys.some((key) => isOneOf(dictionary.lookup(key), activeTypes)) ||
    (isOfStream && outsideKeys.some((key) => dictionary.has(key))) ||
    !isHarmlessOpening(dictionary)
  );
}

/** To open at a certain page is what most word processors write; anything else on opening is an action. */
function isHarmlessOpening(dictionary: PDFDict): boolean {
  const opening = dictionary.lookup(openAction);
  if (opening === undefined || opening instanceof PDFArray) return true;
  if (opening instanceof PDFString || opening instanceof PDFHexString || opening instanceof PDFName)
    return true;
  return opening instanceof PDFDict && opening.lookup(action) === goTo;
}

function isOneOf(value: PDFObject | undefined, known: ReadonlySet<PDFObject>): boolean {
  return value !== undefined && known.has(value);
}
