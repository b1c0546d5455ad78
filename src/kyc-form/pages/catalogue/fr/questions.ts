/** French: what is asked, and what to do when an answer is not right. */
const questions = {
  firstName: { label: 'Prénom', required: 'Saisissez votre prénom' },
  middleName: { label: 'Autres prénoms', required: 'Saisissez vos autres prénoms' },
  lastName: { label: 'Nom de famille', required: 'Saisissez votre nom de famille' },
  secondSurname: { label: 'Second nom de famille', required: 'Saisissez votre second nom de famille' },
  dateOfBirth: {
    label: 'Date de naissance',
    hint: 'Par exemple : {{example}}.',
    required: 'Saisissez votre date de naissance',
  },
  placeOfBirth: {
    label: 'Lieu de naissance',
    hint: 'La ville, telle qu’elle figure sur votre document.',
    required: 'Saisissez la ville où vous êtes né(e)',
  },
  nationality: {
    label: 'Nationalité',
    hint: 'Si vous en avez plusieurs, choisissez celle du document que vous allez présenter.',
    required: 'Choisissez votre nationalité',
  },
  address: {
    label: 'Numéro et rue',
    hint: 'L’adresse de votre domicile, pas une boîte postale.',
    required: 'Saisissez le numéro et la rue de votre domicile',
  },
  city: { label: 'Ville', required: 'Saisissez votre ville' },
  stateProvince: { label: 'État, province ou région', required: 'Saisissez votre État, province ou région' },
  postalCode: { label: 'Code postal', required: 'Saisissez votre code postal' },
  countryCode: { label: 'Pays de résidence', required: 'Choisissez votre pays de résidence' },
  phoneNumber: {
    label: 'Numéro de téléphone',
    hint: 'Avec l’indicatif du pays, par exemple +33 6 12 34 56 78.',
    required: 'Saisissez votre numéro de téléphone',
  },
  taxIdKind: {
    label: 'Quel numéro fiscal avez-vous ?',
    required: 'Choisissez quel numéro fiscal vous avez',
  },
  taxIdLastFour: {
    label: 'Les quatre derniers chiffres de ce numéro',
    hint: 'Seulement les quatre derniers, par exemple 1234.',
    required: 'Saisissez les quatre derniers chiffres de votre numéro fiscal',
  },
  nationalIdCountry: {
    label: 'Pays qui a délivré votre numéro national',
    required: 'Choisissez le pays qui a délivré votre numéro national',
  },
  nationalIdNumber: {
    label: 'Numéro national d’identité',
    hint: 'Par exemple CPF, CURP, DNI, NIN ou BVN. Il figure en général sur votre carte d’identité.',
    required: 'Saisissez votre numéro national d’identité',
  },
  documentType: {
    label: 'Quel document allez-vous présenter ?',
    required: 'Choisissez quel document vous allez présenter',
  },
  documentCountry: {
    label: 'Pays qui a délivré le document',
    required: 'Choisissez le pays qui a délivré le document',
  },
  documentNumber: {
    label: 'Numéro du document',
    hint: 'Lettres et chiffres, tels qu’ils figurent sur le document.',
    required: 'Saisissez le numéro du document',
  },
  documentExpiresOn: {
    label: 'Date d’expiration du document',
    hint: 'Par exemple : {{example}}.',
    required: 'Saisissez la date d’expiration du document',
  },
  documentFront: {
    label: 'Photo du document',
    hint: 'Le côté avec votre photo. Pour un passeport, la page avec votre photo.',
    required: 'Ajoutez une photo du côté du document où figure votre photo',
  },
  documentBack: { label: 'Photo du verso', required: 'Ajoutez une photo du verso du document' },
  documentMrz: {
    label: 'Lignes lisibles par machine, avec de nombreux signes <',
    hint: 'Deux ou trois lignes en bas de la page ou au verso. Les recopier accélère la vérification.',
    required: 'Saisissez les lignes lisibles par machine',
  },
  selfiePhoto: {
    label: 'Photo de votre visage',
    hint: 'Regardez droit vers l’appareil, avec un bon éclairage, sans lunettes de soleil ni chapeau.',
    required: 'Ajoutez une photo de votre visage',
  },
  proofOfAddressType: {
    label: 'Qu’allez-vous présenter ?',
    required: 'Choisissez ce que vous allez présenter comme justificatif de domicile',
  },
  proofOfAddressIssuedOn: {
    label: 'Date du document',
    hint: 'Il ne doit pas dater de plus de trois mois.',
    required: 'Saisissez la date du document',
  },
  proofOfAddressFile: {
    label: 'Le document',
    hint: 'Votre nom, votre adresse et la date doivent être lisibles.',
    required: 'Ajoutez le document qui justifie votre domicile',
  },
  occupation: {
    label: 'Quelle est votre profession ?',
    hint: 'Par exemple infirmière, étudiant ou retraité.',
    required: 'Saisissez votre profession',
  },
  sourceOfFunds: {
    label: 'D’où vient l’argent que vous envoyez ?',
    required: 'Choisissez d’où vient l’argent que vous envoyez',
  },
  fundsExplanation: {
    label: 'Dites-nous-en plus',
    hint: 'Une ou deux phrases, par exemple de qui et quand vous l’avez reçu.',
    required: 'Dites-nous-en plus sur l’origine de l’argent',
  },
  politicallyExposed: {
    label:
      'Exercez-vous une haute fonction publique, ou l’avez-vous exercée au cours des 12 derniers mois ? Est-ce le cas d’un de vos proches ?',
    hint: 'Par exemple dans un gouvernement, un parlement, une haute juridiction, le commandement militaire ou une entreprise publique. Un proche est un membre de la famille ou une personne avec qui vous possédez une entreprise.',
    required: 'Choisissez une des réponses',
  },
} as const;

/** What a question is called in some countries. */
const localNames = {
  zipCode: { label: 'Code postal (ZIP)', required: 'Saisissez votre code postal (ZIP)' },
  postcode: { label: 'Code postal (postcode)', required: 'Saisissez votre code postal' },
  eircode: { label: 'Code postal (Eircode)', required: 'Saisissez votre code postal (Eircode)' },
  pinCode: { label: 'Code postal (PIN)', required: 'Saisissez votre code postal (PIN)' },
  cep: { label: 'Code postal (CEP)', required: 'Saisissez votre code postal (CEP)' },
  state: { label: 'État', required: 'Saisissez votre État' },
  provinceOrTerritory: {
    label: 'Province ou territoire',
    required: 'Saisissez votre province ou territoire',
  },
  firstSurname: { label: 'Premier nom de famille', required: 'Saisissez votre premier nom de famille' },
} as const;

const options = {
  taxIdKind: {
    ssn: 'Numéro de sécurité sociale américain (SSN)',
    itin: 'Numéro individuel de contribuable (ITIN)',
  },
  documentType: {
    passport: 'Passeport',
    identityCard: 'Carte d’identité',
    drivingLicence: 'Permis de conduire',
    residencePermit: 'Titre de séjour',
  },
  proofOfAddressType: {
    utilityBill: 'Facture d’électricité, de gaz, d’eau ou d’internet',
    bankStatement: 'Relevé bancaire',
    taxLetter: 'Courrier de l’administration fiscale',
    governmentLetter: 'Autre courrier d’une administration',
    rentalContract: 'Contrat de location',
  },
  sourceOfFunds: {
    salary: 'Salaire',
    selfEmployment: 'Entreprise personnelle',
    pension: 'Retraite ou pension',
    benefits: 'Prestations sociales',
    savings: 'Épargne',
    saleOfProperty: 'Vente d’un bien immobilier',
    inheritance: 'Héritage',
    gift: 'Don',
    other: 'Autre origine',
  },
  politicallyExposed: { no: 'Non', yes: 'Oui, moi-même', associate: 'Oui, un de mes proches' },
} as const;

const faults = {
  too_long: '{{label}} : c’est trop long. Utilisez {{limit}} caractères au maximum',
  wrong_format: '{{label}} : saisissez au moins une lettre ou un chiffre',
  control_characters: '{{label}} : supprimez les caractères qui ne peuvent pas être imprimés',
  not_allowed: '{{label}} : choisissez un élément de la liste',
  not_a_date: '{{label}} : saisissez une date du calendrier, par exemple {{example}}',
  too_young: 'Vous devez avoir au moins {{limit}} ans',
  bornTooLongAgo: '{{label}} : cette date remonte à plus de {{limit}} ans. Vérifiez l’année',
  tooOld: '{{label}} : le document ne doit pas dater de plus de trois mois',
  in_the_past: '{{label}} : le document est expiré. Utilisez-en un qui est encore valide',
  in_the_future: '{{label}} : la date ne doit pas être dans le futur',
  wrong_check_digits: '{{label}} : une lettre ou un chiffre est faux ou mal placé. Comparez chacun avec votre document',
  mrzCheckDigits: 'Un caractère n’est pas correct. Comparez chacun avec le document, ou laissez ce champ vide',
  lastFourDigits: 'Saisissez exactement quatre chiffres, par exemple 1234',
  phone: 'Saisissez un numéro de téléphone avec l’indicatif du pays, par exemple +33 6 12 34 56 78',
  too_short: '{{label}} : c’est trop court. Saisissez au moins {{limit}} lettres ou chiffres',
  wrong_length:
    '{{label}} : dans votre pays, il compte {{limit}} lettres et chiffres, et vous en avez saisi {{entered}}',
  wrong_characters: '{{label}} : utilisez seulement lettres, chiffres, espaces, points, barres obliques et tirets',
  separators:
    '{{label}} : commencez et terminez par une lettre ou un chiffre, avec un seul espace, point, tiret ou une seule barre entre deux',
  looksLike: '{{label}} : comparez avec votre document. Il doit ressembler à {{example}}',
  postalCode: '{{label}} : il ne correspond pas au pays choisi. Là-bas, il ressemble à {{example}}',
  incomplete_date: '{{label}} : saisissez le jour, le mois et l’année, par exemple {{example}}',
  not_digits: '{{label}} : utilisez seulement des chiffres, par exemple {{example}}',
  short_year: '{{label}} : saisissez l’année avec quatre chiffres, par exemple {{example}}',
  no_such_month: '{{label}} : le mois doit être un nombre de 1 à 12',
  no_such_day: '{{label}} : pour ce mois, le jour doit être un nombre de 1 à {{limit}}',
  mrzLength:
    'Les lignes lisibles par machine comptent 88, 72 ou 90 caractères en tout, et vous en avez saisi {{entered}}. Saisissez chaque lettre, chiffre et signe <, ou laissez ce champ vide',
  mrzCharacters:
    'Lignes lisibles par machine : utilisez seulement les lettres de A à Z, les chiffres et le signe <, ou laissez ce champ vide',
  phoneTooShort:
    'Numéro de téléphone : c’est trop court. Avec l’indicatif du pays, il compte au moins {{limit}} chiffres',
  phoneTooLong: 'Numéro de téléphone : c’est trop long. Avec l’indicatif du pays, il compte au plus {{limit}} chiffres',
  phoneCharacters:
    'Numéro de téléphone : utilisez seulement chiffres, espaces, tirets et parenthèses, avec un + au début',
} as const;

export const questionTexts = { questions, localNames, options, faults };
