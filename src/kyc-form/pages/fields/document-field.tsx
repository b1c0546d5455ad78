/** File inputs for the camera and for files. The optional script makes the photo smaller and sends it ahead. */
import { acceptedMediaTypes, largestUploadBytes } from '../../../documents/inspect.js';
import type { DocumentView } from '../../../kyc/submissions/state.js';
import type { Texts } from '../texts/texts.js';
import { largestMegabytes, uploadFaultText } from './fault-texts.js';
import { describedBy, type FieldProps, HintAndFault, Label, Wrapper } from './question-frame.js';

export function DocumentField(props: FieldProps) {
  const { texts, question, document, fault } = props;
  const { id, isPhoto } = question;
  const shared = {
    type: 'file',
    name: id,
    'aria-describedby': describedBy(props),
    'aria-invalid': fault ? ('true' as const) : undefined,
  } as const;
  const facing = isPhoto ? 'user' : 'environment';
  const photos = acceptedMediaTypes.filter((type) => type.startsWith('image/'));
  return (
    <Wrapper of={props} group>
      <legend>
        <Label {...props} />
      </legend>
      <HintAndFault {...props} />
      <p class="hint" id={`${id}-accepted`}>
        {texts.say(isPhoto ? 'upload.acceptedPhoto' : 'upload.accepted', {
          megabytes: texts.number(largestMegabytes),
        })}
      </p>
      <div
        class="received"
        data-received
        data-largest-bytes={largestUploadBytes}
        data-too-large={uploadFaultText(texts, question, 'too_large')}
      >
        {document ? <p>{receivedText(texts, document)}</p> : null}
      </div>
      {document ? <p class="hint">{texts.say('upload.replace')}</p> : null}
      <div class="pickers">
        {/* With `capture` a phone opens its camera and offers nothing else, so files have an input of their own. */}
        <div class="picker camera">
          <input {...shared} id={`${id}-camera`} accept={photos.join(',')} capture={facing} />
          <label for={`${id}-camera`}>{texts.say('upload.takePhoto')}</label>
        </div>
        <div class="picker">
          <input {...shared} id={id} accept={(isPhoto ? photos : acceptedMediaTypes).join(',')} />
          <label for={id}>{texts.say('upload.chooseFile')}</label>
        </div>
      </div>
    </Wrapper>
  );
}

export function receivedText(texts: Texts, { mediaType, bytes }: DocumentView): string {
  const kind = texts.say(mediaType === 'application/pdf' ? 'upload.pdf' : 'upload.photo');
  return texts.say('upload.received', { kind, size: texts.bytes(bytes) });
}
