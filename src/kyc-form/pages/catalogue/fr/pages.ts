/** French: everything on the pages that is not a question. */
import { french as hosted } from '../../../../hosted-pages/words/fr.js';

const frame = {
  ...hosted.frame,
  back: 'Retour',
  continue: 'Enregistrer et continuer',
  optional: '(facultatif)',
  choose: 'Choisissez',
  onlyFor: 'Seulement pour : {{options}}',
  progress: 'Étape {{number}} sur {{total}}',
  day: 'Jour',
  month: 'Mois',
  year: 'Année',
  encrypted: 'Ce que vous saisissez est conservé chiffré et sert à vérifier votre identité, pour {{merchant}}.',
} as const;

const steps = {
  person: {
    title: 'À propos de vous',
    intro: 'Saisissez votre nom tel qu’il figure sur votre passeport ou votre carte d’identité.',
  },
  address: { title: 'Où vous habitez', intro: 'L’adresse actuelle de votre domicile.' },
  identification: {
    title: 'Votre numéro d’identification',
    intro: 'Les règles de votre pays exigent ce numéro. Il vous distingue des personnes qui portent le même nom.',
  },
  document: {
    title: 'Votre pièce d’identité',
    intro: 'Elle doit être à vous et valide. Les quatre coins doivent être visibles, nets et sans reflets.',
  },
  selfie: { title: 'Une photo de vous', intro: 'Elle est comparée à la photo de votre document.' },
  proofOfAddress: {
    title: 'Justificatif de domicile',
    intro: 'Un courrier ou une facture qui vous a été envoyé à votre domicile.',
  },
  funds: {
    title: 'Votre travail et votre argent',
    intro: 'Pour les montants plus élevés, la loi nous oblige à demander d’où vient l’argent.',
  },
} as const;

const begin = {
  heading: 'Ce qu’il vous faut',
  why: '{{merchant}} doit savoir qui vous êtes avant de pouvoir envoyer de l’argent pour vous.',
  LEVEL_1: 'Quelques minutes seulement.',
  LEVEL_2: 'Votre passeport, carte d’identité ou autre document, et un appareil photo.',
  LEVEL_3: 'Votre pièce d’identité, un appareil photo, et un courrier ou une facture avec votre adresse.',
  time: 'Vous avez une heure pour chaque page. Ce que vous enregistrez n’est pas perdu.',
  again: 'Merci de corriger ces pages',
  againWhy:
    'Nous n’avons pas pu terminer la vérification. Seules ces pages sont à revoir ; chacune indique ce qu’il faut changer.',
  resume: 'Vous avez répondu à tout',
  resumeText: 'Continuez pour vérifier vos réponses et les envoyer.',
  resumeButton: 'Vérifier mes réponses',
  rejected: 'Nous n’avons pas pu accepter votre dernier formulaire',
} as const;

const upload = {
  accepted: 'JPEG, PNG ou PDF, jusqu’à {{megabytes}} Mo.',
  acceptedPhoto: 'JPEG ou PNG, jusqu’à {{megabytes}} Mo.',
  takePhoto: 'Prendre une photo',
  chooseFile: 'Choisir un fichier',
  received: 'Reçu : {{kind}}, {{size}}',
  replace: 'Pour le remplacer, choisissez-en un autre.',
  photo: 'photo',
  pdf: 'PDF',
  preparing: 'Préparation de la photo …',
  sending: 'Envoi : {{percent}} %',
  checking: 'Vérification …',
  sent: 'Reçu',
  preview: 'La photo que vous avez choisie',
  interrupted: 'La connexion a été coupée pendant l’envoi du fichier. Choisissez-le à nouveau.',
  waitForIt: 'Attendez que le fichier soit envoyé, puis continuez.',
} as const;

const uploadFaults = {
  too_large: '{{label}} : le fichier dépasse {{megabytes}} Mo. Prenez une nouvelle photo ou enregistrez-la plus petite',
  empty: '{{label}} : le fichier est vide. Choisissez-en un autre',
  not_an_accepted_type: '{{label}} : ce type de fichier n’est pas accepté. Utilisez une photo JPEG ou PNG, ou un PDF',
  heic: '{{label}} : c’est une photo HEIC, que nous ne pouvons pas lire. Prenez la photo avec le bouton de cette page, ou enregistrez-la en JPEG',
  unreadable: '{{label}} : le fichier est endommagé ou incomplet. Choisissez-en un autre',
  too_many_pixels: '{{label}} : l’image a trop de pixels. Enregistrez-la plus petite ou prenez une nouvelle photo',
  animated: '{{label}} : les images animées ne sont pas acceptées. Utilisez une photo',
  pdf_encrypted: '{{label}} : le PDF est protégé par un mot de passe. Enregistrez-le sans mot de passe',
  pdf_active:
    '{{label}} : le PDF contient des formulaires, des scripts ou des pièces jointes. Imprimez-le dans un nouveau PDF ou prenez-le en photo',
  pdf_too_many_pages: '{{label}} : le PDF a trop de pages. Envoyez seulement la page utile',
  not_a_photo: '{{label}} : ce type de fichier n’est pas accepté ici. Utilisez une photo JPEG ou PNG',
  checker_unavailable:
    '{{label}} : le fichier n’a pas pu être vérifié pour le moment. Il n’a aucun défaut. Réessayez dans une minute',
  timeout:
    '{{label}} : le fichier a pris trop de temps. Réessayez avec une meilleure connexion ou un fichier plus petit',
  too_few_pixels:
    '{{label}} : l’image est trop petite pour être lue. Il faut au moins 600 sur 400 pixels : prenez une nouvelle photo de près, pas une capture d’écran ni une vignette',
  blank:
    '{{label}} : on ne voit rien sur l’image. Vérifiez que rien ne couvre l’objectif et que la lumière suffit, puis prenez une nouvelle photo',
  same_file:
    '{{label}} : vous avez déjà envoyé cette même image pour une autre question. Prenez une photo de ce qui est demandé ici',
} as const;

const check = {
  title: 'Vérifiez vos réponses',
  intro: 'Rien n’a encore été envoyé. Corrigez ce qui n’est pas exact, puis envoyez vos réponses.',
  change: 'Modifier',
  nothing: 'Non renseigné',
  missing: 'Terminez d’abord cette page : {{title}}',
  consentHeading: 'Avant d’envoyer',
  consent: 'J’accepte ces déclarations',
  consentRequired: 'Cochez la case pour indiquer que vous acceptez',
  submit: 'Envoyer mes réponses',
} as const;

const consent = {
  truth: 'Ce que j’ai saisi est vrai et complet, et les documents sont les miens.',
  use: '{{merchant}} et le service qui gère ce formulaire peuvent s’en servir pour vérifier mon identité, y compris avec les listes de sanctions et de surveillance exigées par la loi.',
  keep: 'Ils le conservent aussi longtemps que la loi l’exige, puis l’effacent.',
} as const;

const status = {
  PENDING: {
    title: 'Pas encore envoyé',
    text: 'Vos réponses n’ont pas été envoyées. Retournez chez {{merchant}} pour continuer.',
  },
  SUBMITTED: {
    title: 'Nous avons reçu vos réponses',
    text: 'Elles sont en cours de vérification. Vous n’avez rien à faire pour l’instant ; {{merchant}} sera informé dès qu’il y aura un résultat.',
  },
  IN_REVIEW: {
    title: 'Nous avons reçu vos réponses',
    text: 'Une personne les vérifie. Vous n’avez rien à faire pour l’instant ; {{merchant}} sera informé dès qu’il y aura un résultat.',
  },
  APPROVED: {
    title: 'Votre identité est vérifiée',
    text: 'Tout est en ordre. Vous pouvez retourner chez {{merchant}}.',
  },
  REJECTED: { title: 'Nous n’avons pas pu vérifier votre identité' },
  ACTION_REQUIRED: {
    title: 'Nous avons de nouveau besoin de vous',
    text: 'Seul ce qui manque vous sera demandé.',
  },
  EXPIRED: {
    title: 'Votre vérification a expiré',
    text: 'Retournez chez {{merchant}} pour faire vérifier à nouveau votre identité.',
  },
  REVOKED: {
    title: 'Votre vérification n’est plus valable',
    text: 'Demandez à {{merchant}} ce qu’il faut faire maintenant.',
  },
  keep: 'Vous pouvez revoir cette page pendant 90 jours. Elle ne montre aucune donnée personnelle.',
  validUntil: 'Valable jusqu’au {{date}}',
  heldUntil: 'Votre vérification actuelle reste valable jusqu’au {{date}}.',
  why: 'Le motif',
  reopen: 'Continuer',
  next: 'Ce que vous pouvez faire maintenant',
  tryAgain:
    'Vous pouvez réessayer. Retournez chez {{merchant}} et ouvrez à nouveau le formulaire. Il n’y a pas de date limite. Corrigez ce que le motif indique avant de l’envoyer.',
  finalNext: 'Cette décision est définitive : le formulaire ne peut pas être envoyé à nouveau.',
  objection: 'Si vous pensez que c’est une erreur, contactez {{merchant}} en indiquant la référence ci-dessous.',
} as const;

const reasons = {
  blurry: 'La photo était floue ou trop sombre. Prenez-la à la lumière du jour, sans bouger le téléphone.',
  cropped: 'Une partie du document était coupée. Les quatre coins doivent être visibles.',
  expired_document: 'Le document est expiré. Utilisez-en un qui est encore valide.',
  wrong_document: 'Ce n’était pas le document demandé.',
  unsupported_document: 'Ce type de document n’est pas accepté. Utilisez par exemple un passeport.',
  mismatch: 'Ce que vous avez saisi ne correspond pas au document.',
  incomplete: 'Il manquait quelque chose.',
  underage: 'Vous devez avoir au moins 18 ans.',
  COMPLIANCE: 'Les règles que nous devons suivre ne le permettent pas.',
  other: 'Un point n’a pas pu être confirmé.',
} as const;

const ended = {
  expired: {
    title: 'Ce lien a expiré',
    text: 'Pour vous protéger, un lien ne fonctionne que pendant un temps limité. Ce que vous avez enregistré est conservé. Retournez chez {{merchant}} pour obtenir un nouveau lien.',
  },
  submitted: {
    title: 'Ce formulaire a déjà été envoyé',
    text: 'Vos réponses sont arrivées, il n’y a plus rien à faire ici. Retournez chez {{merchant}} pour connaître la suite.',
  },
  held: {
    title: 'Votre identité est déjà vérifiée',
    text: 'Il n’y a rien à faire ici. Vous pouvez retourner chez {{merchant}}.',
  },
  refused: {
    title: 'Nous ne pouvons pas vérifier votre identité',
    text: 'La décision est définitive. Si vous avez une question, parlez-en à {{merchant}}.',
  },
  unknown: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il est peut-être incomplet ou très ancien. Retournez là où vous l’avez reçu et demandez-en un nouveau.',
  },
} as const;

const time = {
  heading: 'Vous faut-il plus de temps ?',
  extend: 'J’ai besoin de plus de temps',
  extended: 'Vous avez maintenant plus de temps.',
  atEnd:
    'Il n’est plus possible d’ajouter du temps. Enregistrez cette page maintenant ; avec un nouveau lien, vous pourrez continuer plus tard.',
  over: 'Le temps prévu pour cette page est écoulé. Ce que vous aviez enregistré est conservé. Demandez un nouveau lien à {{merchant}}.',
  offline: 'Il n’y a pas de connexion. Ce que vous avez saisi est toujours là : réessayez quand vous serez en ligne.',
} as const;

/** With one form for each plural of the language. */
const counts = {
  minutesLeft_one: 'Cette page se ferme dans une minute. Ce qui n’est pas enregistré sera perdu.',
  minutesLeft_many: 'Cette page se ferme dans {{count}} de minutes. Ce qui n’est pas enregistré sera perdu.',
  minutesLeft_other: 'Cette page se ferme dans {{count}} minutes. Ce qui n’est pas enregistré sera perdu.',
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
