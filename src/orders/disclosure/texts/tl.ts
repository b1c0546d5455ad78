/** Tagalog texts of the disclosure. */
import type { DisclosureCatalogue } from './catalogue.js';

export const tagalog: DisclosureCatalogue = {
  title: 'Bago ka magbayad',
  notAReceipt: 'Hindi ito resibo.',
  costs: 'Magkano ito',
  transferAmount: 'Halaga ng padala',
  fee: 'Mga singil sa padala',
  taxes: 'Mga buwis sa padala',
  total: 'Kabuuang babayaran',
  exchangeRate: 'Palitan',
  markup: 'Higit sa batayang palitan ng {{source}}',
  conversionCost: 'Halaga ng palitan',
  totalCost: 'Kabuuang gastos',
  arrives: 'Ano ang darating',
  totalToRecipient: 'Kabuuan para sa tatanggap',
  otherFees:
    'Maaaring mas maliit ang matanggap ng tatanggap dahil sa mga singil ng kanyang bangko at mga buwis sa ibang bansa.',
  country: 'Ibabayad sa',
  method: 'Paano',
  availableOn: 'Makukuha ng tatanggap bago ang',
  availableIf: 'Kung darating ang bayad mo ngayong araw.',
  rights: 'Ang iyong mga karapatan',
  cancelUs:
    'Makakansela mo ito nang buo ang balik ng pera sa loob ng {{minutes}} minuto mula sa pagbabayad, maliban kung nakuha o naideposito na ang pera.',
  cancel: 'Makakansela mo ito hanggang papunta na sa tatanggap ang pera.',
  errorsUs:
    'May karapatan kang tutulan ang mga mali sa iyong transaksyon. Kung sa tingin mo ay may mali, makipag-ugnayan sa {{licensee}} sa loob ng 180 araw mula sa petsa kung kailan dapat nakuha ang pera.',
  agencyUs:
    'Para sa mga tanong o reklamo, maaari ka ring makipag-ugnayan sa Consumer Financial Protection Bureau: 855-411-2372, 855-729-2372 (TTY/TDD), www.consumerfinance.gov.',
  errorsEu:
    'Sabihin agad sa {{licensee}}, at hindi lalampas sa 13 buwan mula nang ibawas ang pera, ang tungkol sa bayad na hindi mo ipinag-utos o nagkamali: itatama ito o ibabalik ang pera.',
  refusalEu: 'Kung tatanggihan ang padala, sasabihin ito sa iyo, at kung bakit kung pinapayagan ng batas.',
};
