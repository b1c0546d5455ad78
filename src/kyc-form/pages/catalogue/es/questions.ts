/** Spanish: what is asked, and what to do when an answer is not right. */
const questions = {
  firstName: { label: 'Nombre', required: 'Escriba su nombre' },
  middleName: { label: 'Segundo nombre', required: 'Escriba su segundo nombre' },
  lastName: { label: 'Apellidos', required: 'Escriba sus apellidos' },
  secondSurname: { label: 'Segundo apellido', required: 'Escriba su segundo apellido' },
  dateOfBirth: {
    label: 'Fecha de nacimiento',
    hint: 'Por ejemplo, {{example}}.',
    required: 'Escriba su fecha de nacimiento',
  },
  placeOfBirth: {
    label: 'Lugar de nacimiento',
    hint: 'La localidad, tal como figura en su documento.',
    required: 'Escriba la localidad en la que nació',
  },
  nationality: {
    label: 'Nacionalidad',
    hint: 'Si tiene más de una, elija la del documento que va a presentar.',
    required: 'Elija su nacionalidad',
  },
  address: {
    label: 'Calle y número',
    hint: 'Su domicilio, no un apartado postal.',
    required: 'Escriba la calle y el número de su domicilio',
  },
  city: { label: 'Localidad', required: 'Escriba su localidad' },
  stateProvince: { label: 'Estado, provincia o región', required: 'Escriba su estado, provincia o región' },
  postalCode: { label: 'Código postal', required: 'Escriba su código postal' },
  countryCode: { label: 'País en el que vive', required: 'Elija el país en el que vive' },
  phoneNumber: {
    label: 'Número de teléfono',
    hint: 'Con el código del país, por ejemplo +34 612 34 56 78.',
    required: 'Escriba su número de teléfono',
  },
  taxIdKind: {
    label: '¿Qué número de identificación fiscal tiene?',
    required: 'Elija qué número de identificación fiscal tiene',
  },
  taxIdLastFour: {
    label: 'Los cuatro últimos dígitos de ese número',
    hint: 'Solo los cuatro últimos, por ejemplo 1234.',
    required: 'Escriba los cuatro últimos dígitos de su número de identificación fiscal',
  },
  nationalIdCountry: {
    label: 'País que emitió su número de identidad',
    required: 'Elija el país que emitió su número de identidad',
  },
  nationalIdNumber: {
    label: 'Número de identidad nacional',
    hint: 'Por ejemplo CURP, DNI, cédula, RUT, CPF, BVN o NIN. Suele figurar en su documento de identidad.',
    required: 'Escriba su número de identidad nacional',
  },
  documentType: { label: '¿Qué documento va a presentar?', required: 'Elija qué documento va a presentar' },
  documentCountry: {
    label: 'País que emitió el documento',
    required: 'Elija el país que emitió el documento',
  },
  documentNumber: {
    label: 'Número del documento',
    hint: 'Letras y dígitos, tal como figuran en el documento.',
    required: 'Escriba el número del documento',
  },
  documentExpiresOn: {
    label: 'Fecha de vencimiento del documento',
    hint: 'Por ejemplo, {{example}}.',
    required: 'Escriba la fecha de vencimiento del documento',
  },
  documentFront: {
    label: 'Foto del documento',
    hint: 'El lado con su fotografía. En un pasaporte, la página con su fotografía.',
    required: 'Añada una foto del lado del documento con su fotografía',
  },
  documentBack: { label: 'Foto del reverso', required: 'Añada una foto del reverso del documento' },
  documentMrz: {
    label: 'Líneas de lectura mecánica, con muchos signos <',
    hint: 'Dos o tres líneas al pie de la página o en el reverso. Si las escribe, la comprobación es más rápida.',
    required: 'Escriba las líneas de lectura mecánica',
  },
  selfiePhoto: {
    label: 'Foto de su cara',
    hint: 'Mire de frente a la cámara, con buena luz, sin gafas de sol ni gorra.',
    required: 'Añada una foto de su cara',
  },
  proofOfAddressType: {
    label: '¿Qué va a presentar?',
    required: 'Elija qué va a presentar como comprobante de domicilio',
  },
  proofOfAddressIssuedOn: {
    label: 'Fecha del documento',
    hint: 'No debe tener más de tres meses.',
    required: 'Escriba la fecha del documento',
  },
  proofOfAddressFile: {
    label: 'El documento',
    hint: 'Deben poder leerse su nombre, su dirección y la fecha.',
    required: 'Añada el documento que acredita su domicilio',
  },
  occupation: {
    label: '¿A qué se dedica?',
    hint: 'Por ejemplo enfermera, estudiante o jubilado.',
    required: 'Escriba a qué se dedica',
  },
  sourceOfFunds: {
    label: '¿De dónde procede el dinero que envía?',
    required: 'Elija de dónde procede el dinero que envía',
  },
  fundsExplanation: {
    label: 'Cuéntenos algo más',
    hint: 'Una o dos frases, por ejemplo de quién y cuándo lo recibió.',
    required: 'Cuéntenos algo más sobre la procedencia del dinero',
  },
  politicallyExposed: {
    label: '¿Ocupa usted un alto cargo público, o lo ocupó en los últimos 12 meses? ¿Lo ocupa alguien cercano a usted?',
    hint: 'Por ejemplo en un gobierno, un parlamento, un tribunal superior, el mando militar o una empresa pública. Alguien cercano es un familiar o una persona con quien comparte un negocio.',
    required: 'Elija una de las respuestas',
  },
} as const;

/** What a question is called in some countries. */
const localNames = {
  zipCode: { label: 'Código postal (ZIP)', required: 'Escriba su código postal (ZIP)' },
  postcode: { label: 'Código postal (postcode)', required: 'Escriba su código postal' },
  eircode: { label: 'Código postal (Eircode)', required: 'Escriba su código postal (Eircode)' },
  pinCode: { label: 'Código postal (PIN)', required: 'Escriba su código postal (PIN)' },
  cep: { label: 'Código postal (CEP)', required: 'Escriba su código postal (CEP)' },
  state: { label: 'Estado', required: 'Escriba su estado' },
  provinceOrTerritory: { label: 'Provincia o territorio', required: 'Escriba su provincia o territorio' },
  firstSurname: { label: 'Primer apellido', required: 'Escriba su primer apellido' },
} as const;

const options = {
  taxIdKind: {
    ssn: 'Número de Seguro Social (SSN)',
    itin: 'Número de identificación personal del contribuyente (ITIN)',
  },
  documentType: {
    passport: 'Pasaporte',
    identityCard: 'Documento o tarjeta de identidad',
    drivingLicence: 'Licencia de conducir',
    residencePermit: 'Permiso de residencia',
  },
  proofOfAddressType: {
    utilityBill: 'Factura de luz, gas, agua o internet',
    bankStatement: 'Extracto bancario',
    taxLetter: 'Carta de la administración tributaria',
    governmentLetter: 'Otra carta de una autoridad',
    rentalContract: 'Contrato de alquiler',
  },
  sourceOfFunds: {
    salary: 'Salario',
    selfEmployment: 'Negocio propio',
    pension: 'Pensión',
    benefits: 'Ayudas del Estado',
    savings: 'Ahorros',
    saleOfProperty: 'Venta de un inmueble',
    inheritance: 'Herencia',
    gift: 'Regalo o donación',
    other: 'Otra procedencia',
  },
  politicallyExposed: { no: 'No', yes: 'Sí, yo mismo', associate: 'Sí, alguien cercano a mí' },
} as const;

const faults = {
  too_long: '{{label}}: es demasiado largo. Use {{limit}} caracteres como máximo',
  wrong_format: '{{label}}: escriba al menos una letra o un dígito',
  control_characters: '{{label}}: quite los caracteres que no se pueden imprimir',
  not_allowed: '{{label}}: elija una opción de la lista',
  not_a_date: '{{label}}: escriba una fecha del calendario, por ejemplo {{example}}',
  too_young: 'Debe tener al menos {{limit}} años',
  bornTooLongAgo: '{{label}}: hace más de {{limit}} años de esa fecha. Revise el año',
  tooOld: '{{label}}: el documento no debe tener más de tres meses',
  in_the_past: '{{label}}: el documento está vencido. Use uno que siga vigente',
  in_the_future: '{{label}}: la fecha no puede estar en el futuro',
  wrong_check_digits:
    '{{label}}: alguna letra o algún dígito está mal o ha cambiado de sitio. Compare cada uno con su documento',
  mrzCheckDigits: 'Un carácter no es correcto. Compare cada uno con el documento, o deje esto vacío',
  lastFourDigits: 'Escriba exactamente cuatro dígitos, por ejemplo 1234',
  phone: 'Escriba un número de teléfono con el código del país, por ejemplo +34 612 34 56 78',
  too_short: '{{label}}: es demasiado corto. Escriba al menos {{limit}} letras o dígitos',
  wrong_length: '{{label}}: en su país tiene {{limit}} letras y dígitos, y usted ha escrito {{entered}}',
  wrong_characters: '{{label}}: use solo letras, dígitos, espacios, puntos, barras y guiones',
  separators:
    '{{label}}: empiece y termine con una letra o un dígito, y ponga solo un espacio, punto, barra o guion entre dos de ellos',
  looksLike: '{{label}}: compárelo con su documento. Debe parecerse a {{example}}',
  postalCode: '{{label}}: no corresponde al país que ha elegido. Allí es como {{example}}',
  incomplete_date: '{{label}}: escriba el día, el mes y el año, por ejemplo {{example}}',
  not_digits: '{{label}}: use solo dígitos, por ejemplo {{example}}',
  short_year: '{{label}}: escriba el año con cuatro dígitos, por ejemplo {{example}}',
  no_such_month: '{{label}}: el mes debe ser un número del 1 al 12',
  no_such_day: '{{label}}: en ese mes, el día debe ser un número del 1 al {{limit}}',
  mrzLength:
    'Las líneas de lectura mecánica tienen 88, 72 o 90 caracteres en total, y usted ha escrito {{entered}}. Escriba cada letra, dígito y signo <, o deje esto vacío',
  mrzCharacters:
    'Líneas de lectura mecánica: use solo las letras de la A a la Z, dígitos y el signo <, o deje esto vacío',
  phoneTooShort: 'Número de teléfono: es demasiado corto. Con el código del país tiene al menos {{limit}} dígitos',
  phoneTooLong: 'Número de teléfono: es demasiado largo. Con el código del país tiene {{limit}} dígitos como máximo',
  phoneCharacters: 'Número de teléfono: use solo dígitos, espacios, guiones y paréntesis, con un + al principio',
} as const;

export const questionTexts = { questions, localNames, options, faults };
