/** Portuguese: what is asked, and what to do when an answer is not right. */
const questions = {
  firstName: { label: 'Nome', required: 'Escreva o seu nome' },
  middleName: { label: 'Nomes do meio', required: 'Escreva os seus nomes do meio' },
  lastName: { label: 'Sobrenome', required: 'Escreva o seu sobrenome' },
  secondSurname: { label: 'Segundo sobrenome', required: 'Escreva o seu segundo sobrenome' },
  dateOfBirth: {
    label: 'Data de nascimento',
    hint: 'Por exemplo: {{example}}.',
    required: 'Escreva a sua data de nascimento',
  },
  placeOfBirth: {
    label: 'Local de nascimento',
    hint: 'A cidade, como consta no seu documento.',
    required: 'Escreva a cidade em que nasceu',
  },
  nationality: {
    label: 'Nacionalidade',
    hint: 'Se tiver mais de uma, escolha a do documento que vai apresentar.',
    required: 'Escolha a sua nacionalidade',
  },
  address: {
    label: 'Rua e número',
    hint: 'O endereço da sua casa, não uma caixa postal.',
    required: 'Escreva a rua e o número da sua casa',
  },
  city: { label: 'Cidade', required: 'Escreva a sua cidade' },
  stateProvince: {
    label: 'Estado, província ou região',
    required: 'Escreva o seu estado, província ou região',
  },
  postalCode: { label: 'Código postal', required: 'Escreva o seu código postal' },
  countryCode: { label: 'País onde mora', required: 'Escolha o país onde mora' },
  phoneNumber: {
    label: 'Número de telefone',
    hint: 'Com o código do país, por exemplo +55 11 91234 5678.',
    required: 'Escreva o seu número de telefone',
  },
  taxIdKind: {
    label: 'Qual número de contribuinte você tem?',
    required: 'Escolha qual número de contribuinte você tem',
  },
  taxIdLastFour: {
    label: 'Os quatro últimos dígitos desse número',
    hint: 'Somente os quatro últimos, por exemplo 1234.',
    required: 'Escreva os quatro últimos dígitos do seu número de contribuinte',
  },
  nationalIdCountry: {
    label: 'País que emitiu o seu número de identidade',
    required: 'Escolha o país que emitiu o seu número de identidade',
  },
  nationalIdNumber: {
    label: 'Número de identidade nacional',
    hint: 'Por exemplo CPF, CURP, DNI, BVN ou NIN. Em geral, consta no seu documento de identidade.',
    required: 'Escreva o seu número de identidade nacional',
  },
  documentType: {
    label: 'Qual documento você vai apresentar?',
    required: 'Escolha qual documento você vai apresentar',
  },
  documentCountry: {
    label: 'País que emitiu o documento',
    required: 'Escolha o país que emitiu o documento',
  },
  documentNumber: {
    label: 'Número do documento',
    hint: 'Letras e dígitos, como constam no documento.',
    required: 'Escreva o número do documento',
  },
  documentExpiresOn: {
    label: 'Data de validade do documento',
    hint: 'Por exemplo: {{example}}.',
    required: 'Escreva a data de validade do documento',
  },
  documentFront: {
    label: 'Foto do documento',
    hint: 'O lado com a sua foto. No passaporte, a página com a sua foto.',
    required: 'Adicione uma foto do lado do documento com a sua foto',
  },
  documentBack: { label: 'Foto do verso', required: 'Adicione uma foto do verso do documento' },
  documentMrz: {
    label: 'Linhas de leitura mecânica, com muitos sinais <',
    hint: 'Duas ou três linhas no fim da página ou no verso. Se as escrever, a verificação é mais rápida.',
    required: 'Escreva as linhas de leitura mecânica',
  },
  selfiePhoto: {
    label: 'Foto do seu rosto',
    hint: 'Olhe de frente para a câmera, com boa luz, sem óculos de sol nem chapéu.',
    required: 'Adicione uma foto do seu rosto',
  },
  proofOfAddressType: {
    label: 'O que você vai apresentar?',
    required: 'Escolha o que vai apresentar como comprovante de endereço',
  },
  proofOfAddressIssuedOn: {
    label: 'Data do documento',
    hint: 'Não pode ter mais de três meses.',
    required: 'Escreva a data do documento',
  },
  proofOfAddressFile: {
    label: 'O documento',
    hint: 'O seu nome, o seu endereço e a data devem estar legíveis.',
    required: 'Adicione o documento que comprova o seu endereço',
  },
  occupation: {
    label: 'Qual é a sua profissão?',
    hint: 'Por exemplo enfermeira, estudante ou aposentado.',
    required: 'Escreva a sua profissão',
  },
  sourceOfFunds: {
    label: 'De onde vem o dinheiro que você envia?',
    required: 'Escolha de onde vem o dinheiro que você envia',
  },
  fundsExplanation: {
    label: 'Conte um pouco mais',
    hint: 'Uma ou duas frases, por exemplo de quem e quando o recebeu.',
    required: 'Conte um pouco mais sobre a origem do dinheiro',
  },
  politicallyExposed: {
    label: 'Você ocupa um alto cargo público, ou ocupou nos últimos 12 meses? Alguém próximo de você ocupa?',
    hint: 'Por exemplo em um governo, um parlamento, um tribunal superior, o comando militar ou uma empresa estatal. Alguém próximo é um familiar ou uma pessoa com quem você tem um negócio.',
    required: 'Escolha uma das respostas',
  },
} as const;

/** What a question is called in some countries. */
const localNames = {
  zipCode: { label: 'Código postal (ZIP)', required: 'Escreva o seu código postal (ZIP)' },
  postcode: { label: 'Código postal (postcode)', required: 'Escreva o seu código postal' },
  eircode: { label: 'Código postal (Eircode)', required: 'Escreva o seu código postal (Eircode)' },
  pinCode: { label: 'Código postal (PIN)', required: 'Escreva o seu código postal (PIN)' },
  cep: { label: 'CEP', required: 'Escreva o seu CEP' },
  state: { label: 'Estado', required: 'Escreva o seu estado' },
  provinceOrTerritory: {
    label: 'Província ou território',
    required: 'Escreva a sua província ou território',
  },
  firstSurname: { label: 'Primeiro sobrenome', required: 'Escreva o seu primeiro sobrenome' },
} as const;

const options = {
  taxIdKind: {
    ssn: 'Número de Seguro Social (SSN)',
    itin: 'Número de identificação individual do contribuinte (ITIN)',
  },
  documentType: {
    passport: 'Passaporte',
    identityCard: 'Carteira de identidade',
    drivingLicence: 'Carteira de motorista',
    residencePermit: 'Autorização de residência',
  },
  proofOfAddressType: {
    utilityBill: 'Conta de luz, gás, água ou internet',
    bankStatement: 'Extrato bancário',
    taxLetter: 'Carta da autoridade fiscal',
    governmentLetter: 'Outra carta de uma autoridade',
    rentalContract: 'Contrato de aluguel',
  },
  sourceOfFunds: {
    salary: 'Salário',
    selfEmployment: 'Negócio próprio',
    pension: 'Aposentadoria ou pensão',
    benefits: 'Benefícios do Estado',
    savings: 'Poupança',
    saleOfProperty: 'Venda de imóvel',
    inheritance: 'Herança',
    gift: 'Presente ou doação',
    other: 'Outra origem',
  },
  politicallyExposed: { no: 'Não', yes: 'Sim, eu mesmo', associate: 'Sim, alguém próximo de mim' },
} as const;

const faults = {
  too_long: '{{label}}: é longo demais. Use no máximo {{limit}} caracteres',
  wrong_format: '{{label}}: escreva pelo menos uma letra ou um dígito',
  control_characters: '{{label}}: retire os caracteres que não podem ser impressos',
  not_allowed: '{{label}}: escolha uma opção da lista',
  not_a_date: '{{label}}: escreva uma data do calendário, por exemplo {{example}}',
  too_young: 'É preciso ter pelo menos {{limit}} anos',
  bornTooLongAgo: '{{label}}: essa data é de mais de {{limit}} anos atrás. Confira o ano',
  tooOld: '{{label}}: o documento não pode ter mais de três meses',
  in_the_past: '{{label}}: o documento está vencido. Use um que ainda seja válido',
  in_the_future: '{{label}}: a data não pode estar no futuro',
  wrong_check_digits:
    '{{label}}: uma letra ou um dígito está errado ou trocado de lugar. Compare cada um com o seu documento',
  mrzCheckDigits: 'Um caractere não está certo. Compare cada um com o documento, ou deixe este campo vazio',
  lastFourDigits: 'Escreva exatamente quatro dígitos, por exemplo 1234',
  phone: 'Escreva um número de telefone com o código do país, por exemplo +55 11 91234 5678',
  too_short: '{{label}}: é curto demais. Escreva pelo menos {{limit}} letras ou dígitos',
  wrong_length: '{{label}}: no seu país ele tem {{limit}} letras e dígitos, e você escreveu {{entered}}',
  wrong_characters: '{{label}}: use somente letras, dígitos, espaços, pontos, barras e hífens',
  separators:
    '{{label}}: comece e termine com uma letra ou um dígito, e use somente um espaço, ponto, barra ou hífen entre dois deles',
  looksLike: '{{label}}: compare com o seu documento. Deve ser parecido com {{example}}',
  postalCode: '{{label}}: não corresponde ao país escolhido. Lá ele é como {{example}}',
  incomplete_date: '{{label}}: escreva o dia, o mês e o ano, por exemplo {{example}}',
  not_digits: '{{label}}: use somente dígitos, por exemplo {{example}}',
  short_year: '{{label}}: escreva o ano com quatro dígitos, por exemplo {{example}}',
  no_such_month: '{{label}}: o mês deve ser um número de 1 a 12',
  no_such_day: '{{label}}: nesse mês, o dia deve ser um número de 1 a {{limit}}',
  mrzLength:
    'As linhas de leitura mecânica têm 88, 72 ou 90 caracteres no total, e você escreveu {{entered}}. Escreva cada letra, dígito e sinal <, ou deixe este campo vazio',
  mrzCharacters:
    'Linhas de leitura mecânica: use somente as letras de A a Z, dígitos e o sinal <, ou deixe este campo vazio',
  phoneTooShort: 'Número de telefone: é curto demais. Com o código do país ele tem pelo menos {{limit}} dígitos',
  phoneTooLong: 'Número de telefone: é longo demais. Com o código do país ele tem no máximo {{limit}} dígitos',
  phoneCharacters: 'Número de telefone: use somente dígitos, espaços, hífens e parênteses, com um + no início',
} as const;

export const questionTexts = { questions, localNames, options, faults };
