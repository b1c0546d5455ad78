/** Asia, the Gulf and Australia. */
import {
  accountNumber,
  bangladeshiRoutingNumber,
  bankCode,
  bankSpecificNumber,
  bic,
  branchCode,
  bsb,
  iban,
  ifsc,
} from '../fields/account-fields.js';
import { bankAccount, cashPickup, type Destination, mobileWallet, place } from './destination.js';

const philippines = place('PH', 'PHP', 'Quezon City');
const pakistan = place('PK', 'PKR', 'Lahore');
const bangladesh = place('BD', 'BDT', 'Dhaka');
const sriLanka = place('LK', 'LKR', 'Colombo');
const nepal = place('NP', 'NPR', 'Kathmandu');
const vietnam = place('VN', 'VND', 'Đà Nẵng');

export const asiaPacific: readonly Destination[] = [
  bankAccount(philippines, bic('BOPIPHMM'), bankSpecificNumber('1234567890')),
  mobileWallet(philippines, 'GCash', 'Maya'),
  cashPickup(philippines),
  bankAccount(place('IN', 'INR', 'Kochi'), ifsc, accountNumber(9, 18, '30123456789')),
  bankAccount(pakistan, iban('PK36SCBL0000001123456702')),
  mobileWallet(pakistan, 'Easypaisa', 'JazzCash'),
  cashPickup(pakistan),
  bankAccount(bangladesh, bangladeshiRoutingNumber, bankSpecificNumber('1234567890123')),
  mobileWallet(bangladesh, 'bKash', 'Nagad', 'Rocket'),
  cashPickup(bangladesh),
  bankAccount(
    sriLanka,
    bankCode('Bank code', '7010'),
    branchCode('Branch code', '001'),
    bankSpecificNumber('0001234567'),
  ),
  cashPickup(sriLanka),
  bankAccount(nepal, bic('NARBNPKA'), bankSpecificNumber('01234567890123')),
  cashPickup(nepal),
  bankAccount(vietnam, bic('BFTVVNVX'), bankSpecificNumber('0123456789012')),
  cashPickup(vietnam),
  bankAccount(place('ID', 'IDR', 'Surabaya'), bic('CENAIDJA'), bankSpecificNumber('1234567890')),
  bankAccount(place('TH', 'THB', 'Chiang Mai'), bic('BKKBTHBK'), bankSpecificNumber('1234567890')),
  bankAccount(place('SG', 'SGD', 'Singapore'), bic('DBSSSGSG'), bankSpecificNumber('0123456789')),
  bankAccount(place('AE', 'AED', 'Dubai'), iban('AE070331234567890123456')),
  bankAccount(place('AU', 'AUD', 'Melbourne'), bsb, accountNumber(5, 9, '12345678')),
];
