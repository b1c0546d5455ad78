/** Portuguese: everything on the pages that is not a question. */
import { portuguese as hosted } from '../../../../hosted-pages/words/pt.js';

const frame = {
  ...hosted.frame,
  back: 'Voltar',
  continue: 'Salvar e continuar',
  optional: '(opcional)',
  choose: 'Escolha uma opção',
  onlyFor: 'Somente para: {{options}}',
  progress: 'Passo {{number}} de {{total}}',
  day: 'Dia',
  month: 'Mês',
  year: 'Ano',
  encrypted: 'O que você escreve é guardado criptografado e serve para verificar a sua identidade, para {{merchant}}.',
} as const;

const steps = {
  person: {
    title: 'Sobre você',
    intro: 'Escreva o seu nome como consta no seu passaporte ou documento de identidade.',
  },
  address: { title: 'Onde você mora', intro: 'O endereço atual da sua casa.' },
  identification: {
    title: 'O seu número de identificação',
    intro: 'As regras do lugar onde você mora exigem este número. Ele diferencia você de pessoas com o mesmo nome.',
  },
  document: {
    title: 'O seu documento de identidade',
    intro: 'Ele deve ser seu e estar válido. Os quatro cantos devem aparecer na foto, nítidos e sem reflexos.',
  },
  selfie: { title: 'Uma foto sua', intro: 'Ela é comparada com a foto do seu documento.' },
  proofOfAddress: {
    title: 'Comprovante de endereço',
    intro: 'Uma carta ou uma conta enviada para o endereço da sua casa.',
  },
  funds: {
    title: 'O seu trabalho e o seu dinheiro',
    intro: 'Para valores mais altos, a lei nos obriga a perguntar de onde vem o dinheiro.',
  },
} as const;

const begin = {
  heading: 'O que você precisa',
  why: '{{merchant}} precisa saber quem você é antes de poder enviar dinheiro em seu nome.',
  LEVEL_1: 'Apenas alguns minutos.',
  LEVEL_2: 'O seu passaporte, carteira de identidade ou outro documento, e uma câmera.',
  LEVEL_3: 'O seu documento de identidade, uma câmera e uma carta ou conta com o seu endereço.',
  time: 'Você tem uma hora para cada página. O que você salvar não se perde.',
  again: 'Corrija estas páginas, por favor',
  againWhy:
    'Não conseguimos terminar a verificação. Precisamos somente destas páginas outra vez; cada uma diz o que mudar.',
  resume: 'Você já respondeu a tudo',
  resumeText: 'Continue para conferir as suas respostas e enviá-las.',
  resumeButton: 'Conferir as minhas respostas',
  rejected: 'Não pudemos aceitar o seu último formulário',
} as const;

const upload = {
  accepted: 'JPEG, PNG ou PDF, até {{megabytes}} MB.',
  acceptedPhoto: 'JPEG ou PNG, até {{megabytes}} MB.',
  takePhoto: 'Tirar uma foto',
  chooseFile: 'Escolher um arquivo',
  received: 'Recebido: {{kind}}, {{size}}',
  replace: 'Para substituir, escolha outro.',
  photo: 'foto',
  pdf: 'PDF',
  preparing: 'Preparando a foto …',
  sending: 'Enviando: {{percent}} %',
  checking: 'Verificando …',
  sent: 'Recebido',
  preview: 'A foto que você escolheu',
  interrupted: 'A conexão caiu durante o envio do arquivo. Escolha-o outra vez.',
  waitForIt: 'Espere até o arquivo ser enviado e depois continue.',
} as const;

const uploadFaults = {
  too_large: '{{label}}: o arquivo tem mais de {{megabytes}} MB. Tire outra foto ou salve-a menor',
  empty: '{{label}}: o arquivo está vazio. Escolha outro',
  not_an_accepted_type: '{{label}}: este tipo de arquivo não é aceito. Use uma foto JPEG ou PNG, ou um PDF',
  heic: '{{label}}: esta é uma foto HEIC, que não conseguimos ler. Tire a foto com o botão desta página ou salve-a como JPEG',
  unreadable: '{{label}}: o arquivo está danificado ou incompleto. Escolha outro',
  too_many_pixels: '{{label}}: a imagem tem pixels demais. Salve-a menor ou tire outra foto',
  animated: '{{label}}: imagens animadas não são aceitas. Use uma foto',
  pdf_encrypted: '{{label}}: o PDF está protegido com senha. Salve-o sem senha',
  pdf_active:
    '{{label}}: o PDF contém formulários, programas ou anexos. Imprima-o em um novo PDF ou tire uma foto dele',
  pdf_too_many_pages: '{{label}}: o PDF tem páginas demais. Envie somente a página que importa',
  not_a_photo: '{{label}}: este tipo de arquivo não é aceito aqui. Use uma foto JPEG ou PNG',
  checker_unavailable:
    '{{label}}: o arquivo não pôde ser verificado agora. Não há nada de errado com ele. Tente de novo em um minuto',
  timeout: '{{label}}: o arquivo demorou demais. Tente de novo com uma conexão melhor ou um arquivo menor',
  too_few_pixels:
    '{{label}}: a imagem é pequena demais para ser lida. Ela precisa de pelo menos 600 por 400 pixels: tire outra foto de perto, não uma captura de tela nem uma miniatura',
  blank:
    '{{label}}: não dá para ver nada na imagem. Veja se nada cobre a câmera e se há luz suficiente, e tire outra foto',
  same_file: '{{label}}: você já enviou esta mesma imagem para outra pergunta. Tire uma foto do que é pedido aqui',
} as const;

const check = {
  title: 'Confira as suas respostas',
  intro: 'Nada foi enviado ainda. Corrija o que não estiver certo e depois envie as suas respostas.',
  change: 'Alterar',
  nothing: 'Não informado',
  missing: 'Complete primeiro esta página: {{title}}',
  consentHeading: 'Antes de enviar',
  consent: 'Concordo com estas declarações',
  consentRequired: 'Marque a caixa para dizer que concorda',
  submit: 'Enviar as minhas respostas',
} as const;

const consent = {
  truth: 'O que escrevi é verdadeiro e completo, e os documentos são meus.',
  use: '{{merchant}} e o serviço que opera este formulário podem usar estes dados para verificar a minha identidade, também com as listas de sanções e de monitoramento exigidas por lei.',
  keep: 'Eles os guardam enquanto a lei exigir e depois os apagam.',
} as const;

const status = {
  PENDING: {
    title: 'Ainda não enviado',
    text: 'As suas respostas não foram enviadas. Volte para {{merchant}} para continuar.',
  },
  SUBMITTED: {
    title: 'Recebemos as suas respostas',
    text: 'Elas estão sendo verificadas. Você não precisa fazer nada agora; {{merchant}} será avisado assim que houver um resultado.',
  },
  IN_REVIEW: {
    title: 'Recebemos as suas respostas',
    text: 'Uma pessoa está verificando as respostas. Você não precisa fazer nada agora; {{merchant}} será avisado assim que houver um resultado.',
  },
  APPROVED: {
    title: 'A sua identidade está verificada',
    text: 'Está tudo em ordem. Você pode voltar para {{merchant}}.',
  },
  REJECTED: { title: 'Não conseguimos verificar a sua identidade' },
  ACTION_REQUIRED: {
    title: 'Precisamos de algo de você outra vez',
    text: 'Pediremos somente o que falta.',
  },
  EXPIRED: {
    title: 'A sua verificação venceu',
    text: 'Volte para {{merchant}} para verificar a sua identidade de novo.',
  },
  REVOKED: {
    title: 'A sua verificação não é mais válida',
    text: 'Fale com {{merchant}} sobre o que fazer a seguir.',
  },
  keep: 'Você pode ver esta página de novo durante 90 dias. Ela não mostra dados pessoais.',
  validUntil: 'Válida até {{date}}',
  heldUntil: 'Sua verificação atual continua válida até {{date}}.',
  why: 'O motivo',
  reopen: 'Continuar',
  next: 'O que você pode fazer agora',
  tryAgain:
    'Você pode tentar de novo. Volte para {{merchant}} e abra o formulário outra vez. Não há prazo. Antes de enviar, corrija o que o motivo indica.',
  finalNext: 'Esta decisão é definitiva: o formulário não pode ser enviado de novo.',
  objection: 'Se acha que é um engano, entre em contato com {{merchant}} e informe a referência abaixo.',
} as const;

const reasons = {
  blurry: 'A foto estava borrada ou escura demais. Tire-a com a luz do dia e sem mexer o telefone.',
  cropped: 'Uma parte do documento ficou cortada. Os quatro cantos devem aparecer na foto.',
  expired_document: 'O documento está vencido. Use um que ainda seja válido.',
  wrong_document: 'Não era o documento que pedimos.',
  unsupported_document: 'Este tipo de documento não é aceito. Use, por exemplo, um passaporte.',
  mismatch: 'O que você escreveu e o que consta no documento não são iguais.',
  incomplete: 'Faltava alguma coisa.',
  underage: 'É preciso ter pelo menos 18 anos.',
  COMPLIANCE: 'As regras que temos de cumprir não permitem.',
  other: 'Alguma coisa não pôde ser confirmada.',
} as const;

const ended = {
  expired: {
    title: 'Este link expirou',
    text: 'Para proteger você, um link funciona somente por um tempo limitado. O que você salvou está guardado. Volte para {{merchant}} para receber um novo link.',
  },
  submitted: {
    title: 'Este formulário já foi enviado',
    text: 'As suas respostas chegaram e nada mais é preciso aqui. Volte para {{merchant}} para ver o resultado.',
  },
  held: {
    title: 'A sua identidade já está verificada',
    text: 'Não há nada a fazer aqui. Você pode voltar para {{merchant}}.',
  },
  refused: {
    title: 'Não podemos verificar a sua identidade',
    text: 'A decisão é definitiva. Se tiver alguma pergunta, fale com {{merchant}}.',
  },
  unknown: {
    title: 'Este link não funciona',
    text: 'Ele pode estar incompleto ou ser muito antigo. Volte ao lugar onde o recebeu e peça um novo.',
  },
} as const;

const time = {
  heading: 'Precisa de mais tempo?',
  extend: 'Preciso de mais tempo',
  extended: 'Agora você tem mais tempo.',
  atEnd: 'Não é possível dar mais tempo. Salve esta página agora; com um novo link você pode continuar depois.',
  over: 'O tempo desta página acabou. O que você salvou antes está guardado. Peça um novo link a {{merchant}}.',
  offline: 'Não há conexão. O que você escreveu continua aqui: tente de novo quando estiver online.',
} as const;

/** With one form for each plural of the language. */
const counts = {
  minutesLeft_one: 'Esta página fecha em um minuto. O que não estiver salvo será perdido.',
  minutesLeft_many: 'Esta página fecha em {{count}} de minutos. O que não estiver salvo será perdido.',
  minutesLeft_other: 'Esta página fecha em {{count}} minutos. O que não estiver salvo será perdido.',
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
