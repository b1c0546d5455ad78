/** Spanish: everything on the pages that is not a question. */
import { spanish as hosted } from '../../../../hosted-pages/words/es.js';

const frame = {
  ...hosted.frame,
  back: 'Atrás',
  continue: 'Guardar y continuar',
  optional: '(opcional)',
  choose: 'Elija una opción',
  onlyFor: 'Solo para: {{options}}',
  progress: 'Paso {{number}} de {{total}}',
  day: 'Día',
  month: 'Mes',
  year: 'Año',
  encrypted: 'Lo que escribe se guarda cifrado y se usa para comprobar su identidad, para {{merchant}}.',
} as const;

const steps = {
  person: {
    title: 'Sobre usted',
    intro: 'Escriba su nombre tal como figura en su pasaporte o documento de identidad.',
  },
  address: { title: 'Dónde vive', intro: 'Su domicilio actual.' },
  identification: {
    title: 'Su número de identificación',
    intro:
      'Las normas del lugar donde vive exigen este número. Sirve para no confundirle con personas del mismo nombre.',
  },
  document: {
    title: 'Su documento de identidad',
    intro: 'Debe ser suyo y estar vigente. En la foto deben verse las cuatro esquinas, con nitidez y sin reflejos.',
  },
  selfie: { title: 'Una foto suya', intro: 'Se compara con la fotografía de su documento.' },
  proofOfAddress: {
    title: 'Comprobante de domicilio',
    intro: 'Una carta o una factura que le haya llegado a su domicilio.',
  },
  funds: {
    title: 'Su trabajo y su dinero',
    intro: 'Para importes más altos, la ley nos obliga a preguntar de dónde procede el dinero.',
  },
} as const;

const begin = {
  heading: 'Lo que necesita',
  why: '{{merchant}} debe saber quién es usted antes de poder enviar dinero en su nombre.',
  LEVEL_1: 'Solo unos minutos.',
  LEVEL_2: 'Su pasaporte, documento de identidad u otro documento, y una cámara.',
  LEVEL_3: 'Su documento de identidad, una cámara y una carta o factura con su dirección.',
  time: 'Tiene una hora para cada página. Lo que guarde no se pierde.',
  again: 'Corrija estas páginas, por favor',
  againWhy:
    'No pudimos terminar la comprobación. Solo necesitamos estas páginas otra vez; cada una indica qué debe cambiar.',
  resume: 'Ya ha respondido a todo',
  resumeText: 'Continúe para revisar sus respuestas y enviarlas.',
  resumeButton: 'Revisar mis respuestas',
  rejected: 'No pudimos aceptar su último formulario',
} as const;

const upload = {
  accepted: 'JPEG, PNG o PDF, hasta {{megabytes}} MB.',
  acceptedPhoto: 'JPEG o PNG, hasta {{megabytes}} MB.',
  takePhoto: 'Tomar una foto',
  chooseFile: 'Elegir un archivo',
  received: 'Recibido: {{kind}}, {{size}}',
  replace: 'Para sustituirlo, elija otro.',
  photo: 'foto',
  pdf: 'PDF',
  preparing: 'Preparando la foto …',
  sending: 'Enviando: {{percent}} %',
  checking: 'Comprobando …',
  sent: 'Recibido',
  preview: 'La foto que ha elegido',
  interrupted: 'La conexión se cortó mientras se enviaba el archivo. Elíjalo otra vez.',
  waitForIt: 'Espere a que se envíe el archivo y continúe después.',
} as const;

const uploadFaults = {
  too_large: '{{label}}: el archivo ocupa más de {{megabytes}} MB. Tome otra foto o guárdela más pequeña',
  empty: '{{label}}: el archivo está vacío. Elija otro',
  not_an_accepted_type: '{{label}}: este tipo de archivo no se acepta. Use una foto JPEG o PNG, o un PDF',
  heic: '{{label}}: es una foto HEIC, que no podemos leer. Tome la foto con el botón de esta página o guárdela como JPEG',
  unreadable: '{{label}}: el archivo está dañado o incompleto. Elija otro',
  too_many_pixels: '{{label}}: la imagen tiene demasiados píxeles. Guárdela más pequeña o tome otra foto',
  animated: '{{label}}: no se aceptan imágenes animadas. Use una foto',
  pdf_encrypted: '{{label}}: el PDF está protegido con contraseña. Guárdelo sin ella',
  pdf_active:
    '{{label}}: el PDF contiene formularios, programas o archivos adjuntos. Imprímalo en un PDF nuevo o hágale una foto',
  pdf_too_many_pages: '{{label}}: el PDF tiene demasiadas páginas. Envíe solo la página que importa',
  not_a_photo: '{{label}}: aquí no se acepta este tipo de archivo. Use una foto JPEG o PNG',
  checker_unavailable:
    '{{label}}: el archivo no se pudo comprobar en este momento. No tiene nada malo. Inténtelo de nuevo en un minuto',
  timeout: '{{label}}: el archivo tardó demasiado. Inténtelo de nuevo con mejor conexión o con un archivo más pequeño',
  too_few_pixels:
    '{{label}}: la imagen es demasiado pequeña para leerla. Necesita al menos 600 por 400 píxeles: tome otra foto de cerca, no una captura de pantalla ni una miniatura',
  blank:
    '{{label}}: en la imagen no se ve nada. Compruebe que nada tape la cámara y que haya luz suficiente, y tome otra foto',
  same_file: '{{label}}: ya ha enviado esta misma imagen para otra pregunta. Tome una foto de lo que se pide aquí',
} as const;

const check = {
  title: 'Revise sus respuestas',
  intro: 'Todavía no se ha enviado nada. Corrija lo que no esté bien y después envíe sus respuestas.',
  change: 'Cambiar',
  nothing: 'Sin respuesta',
  missing: 'Complete primero esta página: {{title}}',
  consentHeading: 'Antes de enviar',
  consent: 'Estoy de acuerdo con estas declaraciones',
  consentRequired: 'Marque la casilla para indicar que está de acuerdo',
  submit: 'Enviar mis respuestas',
} as const;

const consent = {
  truth: 'Lo que he escrito es verdadero y completo, y los documentos son míos.',
  use: '{{merchant}} y el servicio que opera este formulario pueden usarlo para comprobar mi identidad, también con las listas de sanciones y de vigilancia que exige la ley.',
  keep: 'Lo conservan mientras la ley lo exija y después lo borran.',
} as const;

const status = {
  PENDING: {
    title: 'Aún no se ha enviado',
    text: 'Sus respuestas no se han enviado. Vuelva a {{merchant}} para continuar.',
  },
  SUBMITTED: {
    title: 'Hemos recibido sus respuestas',
    text: 'Se están comprobando. Ahora no tiene que hacer nada; avisamos a {{merchant}} en cuanto haya un resultado.',
  },
  IN_REVIEW: {
    title: 'Hemos recibido sus respuestas',
    text: 'Una persona las está comprobando. Ahora no tiene que hacer nada; avisamos a {{merchant}} en cuanto haya un resultado.',
  },
  APPROVED: {
    title: 'Su identidad está verificada',
    text: 'Todo está en orden. Puede volver a {{merchant}}.',
  },
  REJECTED: { title: 'No pudimos verificar su identidad' },
  ACTION_REQUIRED: {
    title: 'Necesitamos algo de usted otra vez',
    text: 'Solo le pediremos lo que falta.',
  },
  EXPIRED: {
    title: 'Su verificación ha vencido',
    text: 'Vuelva a {{merchant}} para verificar su identidad de nuevo.',
  },
  REVOKED: {
    title: 'Su verificación ya no es válida',
    text: 'Hable con {{merchant}} sobre los pasos siguientes.',
  },
  keep: 'Puede volver a ver esta página durante 90 días. No muestra datos personales.',
  validUntil: 'Válida hasta el {{date}}',
  heldUntil: 'Su verificación actual sigue siendo válida hasta el {{date}}.',
  why: 'El motivo',
  reopen: 'Continuar',
  next: 'Qué puede hacer ahora',
  tryAgain:
    'Puede intentarlo de nuevo. Vuelva a {{merchant}} y abra el formulario otra vez. No hay un plazo límite. Antes de enviarlo, corrija lo que indica el motivo.',
  finalNext: 'Esta decisión es definitiva: el formulario no se puede enviar de nuevo.',
  objection: 'Si cree que es un error, póngase en contacto con {{merchant}} e indique la referencia que aparece abajo.',
} as const;

const reasons = {
  blurry: 'La foto estaba borrosa o demasiado oscura. Tómela con luz de día y sin mover el teléfono.',
  cropped: 'Una parte del documento quedó cortada. En la foto deben verse las cuatro esquinas.',
  expired_document: 'El documento está vencido. Use uno que siga vigente.',
  wrong_document: 'No era el documento que pedimos.',
  unsupported_document: 'Este tipo de documento no se acepta. Use, por ejemplo, un pasaporte.',
  mismatch: 'Lo que escribió y lo que dice el documento no coinciden.',
  incomplete: 'Faltaba algo.',
  underage: 'Debe tener al menos 18 años.',
  COMPLIANCE: 'Las normas que debemos cumplir no lo permiten.',
  other: 'Hay algo que no se pudo confirmar.',
} as const;

const ended = {
  expired: {
    title: 'Este enlace ha caducado',
    text: 'Para protegerle, un enlace solo funciona durante un tiempo limitado. Lo que guardó se conserva. Vuelva a {{merchant}} para obtener un enlace nuevo.',
  },
  submitted: {
    title: 'Este formulario ya se ha enviado',
    text: 'Sus respuestas han llegado y aquí no hace falta nada más. Vuelva a {{merchant}} para ver el resultado.',
  },
  held: {
    title: 'Su identidad ya está verificada',
    text: 'Aquí no hay nada que hacer. Puede volver a {{merchant}}.',
  },
  refused: {
    title: 'No podemos verificar su identidad',
    text: 'La decisión es definitiva. Si tiene alguna pregunta, hable con {{merchant}}.',
  },
  unknown: {
    title: 'Este enlace no funciona',
    text: 'Puede estar incompleto o ser muy antiguo. Vuelva al lugar donde lo obtuvo y pida uno nuevo.',
  },
} as const;

const time = {
  heading: '¿Necesita más tiempo?',
  extend: 'Necesito más tiempo',
  extended: 'Ahora tiene más tiempo.',
  atEnd: 'Ya no se puede dar más tiempo. Guarde esta página ahora; con un enlace nuevo podrá seguir más tarde.',
  over: 'El tiempo para esta página ha terminado. Lo que guardó antes se conserva. Pida a {{merchant}} un enlace nuevo.',
  offline: 'No hay conexión. Lo que escribió sigue aquí: inténtelo de nuevo cuando tenga conexión.',
} as const;

/** With one form for each plural of the language. */
const counts = {
  minutesLeft_one: 'Esta página se cierra en un minuto. Lo que no esté guardado se perderá.',
  minutesLeft_many: 'Esta página se cierra en {{count}} de minutos. Lo que no esté guardado se perderá.',
  minutesLeft_other: 'Esta página se cierra en {{count}} minutos. Lo que no esté guardado se perderá.',
} as const;

export const pages = {
  frame,
  steps,
  begin,
  upload,
  uploadFaults,
  check,
  consent,
  status,
  reasons,
  ended,
  failures: hosted.failures,
  time,
  counts,
};
