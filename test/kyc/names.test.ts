/** Which declared names count as the registered one. */
import { describe, expect, it } from 'vitest';
import { resembles } from '../../src/kyc/checks/names.js';

type Given = readonly [firstName: string, lastName: string, middleName?: string];

const resemble = (declared: Given, registered: Given) =>
  resembles(
    { firstName: declared[0], lastName: declared[1], middleName: declared[2] },
    { firstName: registered[0], lastName: registered[1] },
  );

describe('a declared name resembles the registered one', () => {
  it.each<readonly [string, Given, Given]>([
    ['when it is the same', ['Ana', 'Reyes'], ['Ana', 'Reyes']],
    ['in another case and without accents', ['ANA', 'NUNEZ'], ['ana', 'Núñez']],
    ['with first and last name exchanged', ['Reyes', 'Ana'], ['Ana', 'Reyes']],
    ['with middle names that were not registered', ['Ana', 'Reyes López', 'María'], ['Ana', 'Reyes']],
    ['without middle names that were registered', ['Ana', 'Reyes'], ['Ana María', 'Reyes López']],
    ['with an initial', ['A.', 'Reyes'], ['Ana', 'Reyes']],
    ['against a registered initial', ['Ana', 'Reyes'], ['A', 'Reyes']],
    ['with German letters spelled out', ['Jörg', 'Müller'], ['Joerg', 'Mueller']],
    ['with spaces in other places', ['Ana', 'Delacruz'], ['Ana', 'De la Cruz']],
    ['with one wrong letter in a long word', ['Mohamed', 'Gonzales'], ['Mohammed', 'Gonzalez']],
    ['when only one name is registered', ['Suharto', 'Suharto'], ['Suharto', '-']],
    ['in the same other script', ['عائشة', 'منصور'], ['عائشة', 'منصور']],
  ])('%s', (_, declared, registered) => {
    expect(resemble(declared, registered)).toBe(true);
  });
});

describe('a declared name does not resemble the registered one', () => {
  it.each<readonly [string, Given, Given]>([
    ['when nothing is alike', ['Bruno', 'Silva'], ['Ana', 'Reyes']],
    ['when only the family name is the same', ['Pedro', 'Reyes López'], ['Ana', 'Reyes López']],
    ['when only the first name is the same', ['Ana', 'Smith'], ['Ana', 'Reyes']],
    ['when only a particle is the same', ['Ana', 'de Souza'], ['Ana', 'de Lima']],
    ['when it consists of initials', ['A', 'R'], ['Ana', 'Reyes']],
    ['when short words differ in a letter', ['Ana', 'Rey'], ['Ana', 'Ray']],
    ['in another script', ['Мария', 'Иванова'], ['Maria', 'Ivanova']],
    ['when it is empty', ['', ''], ['Ana', 'Reyes']],
    ['when nothing readable is registered', ['Ana', 'Reyes'], ['-', '-']],
  ])('%s', (_, declared, registered) => {
    expect(resemble(declared, registered)).toBe(false);
  });
});
