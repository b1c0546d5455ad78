/** The commercial banks of Nigeria with the codes that the Central Bank of Nigeria gave them. */
import type { Option } from './field.js';

export const nigerianBanks: readonly Option[] = [
  { value: '011', label: 'First Bank of Nigeria' },
  { value: '023', label: 'Citibank Nigeria' },
  { value: '032', label: 'Union Bank of Nigeria' },
  { value: '033', label: 'United Bank for Africa' },
  { value: '035', label: 'Wema Bank' },
  { value: '044', label: 'Access Bank' },
  { value: '050', label: 'Ecobank Nigeria' },
  { value: '057', label: 'Zenith Bank' },
  { value: '058', label: 'Guaranty Trust Bank' },
  { value: '068', label: 'Standard Chartered Bank' },
  { value: '070', label: 'Fidelity Bank' },
  { value: '076', label: 'Polaris Bank' },
  { value: '082', label: 'Keystone Bank' },
  { value: '101', label: 'Providus Bank' },
  { value: '102', label: 'Titan Trust Bank' },
  { value: '103', label: 'Globus Bank' },
  { value: '214', label: 'First City Monument Bank' },
  { value: '215', label: 'Unity Bank' },
  { value: '221', label: 'Stanbic IBTC Bank' },
  { value: '232', label: 'Sterling Bank' },
  { value: '301', label: 'Jaiz Bank' },
];
