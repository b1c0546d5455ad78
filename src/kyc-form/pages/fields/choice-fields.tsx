/** Questions with a list of answers: a few as radio buttons, countries as a list that can also be typed into. */
import { countriesIn } from '../texts/countries.js';
import { describedBy, type FieldProps, HintAndFault, Label, stateOf, Wrapper } from './question-frame.js';

export function CountrySelect(props: FieldProps) {
  const { texts, question, values } = props;
  const chosen = values[question.id];
  return (
    <Wrapper of={props}>
      <label for={question.id}>
        <Label {...props} />
      </label>
      <HintAndFault {...props} />
      <select
        id={question.id}
        name={question.id}
        autocomplete={question.autocomplete ?? 'off'}
        aria-describedby={describedBy(props)}
        {...stateOf(props)}
      >
        <option value="">{texts.say('frame.choose')}</option>
        {countriesIn(texts.locale, question.options).map(({ code, name }) => (
          <option key={code} value={code} selected={code === chosen}>
            {name}
          </option>
        ))}
      </select>
    </Wrapper>
  );
}

export function Choice(props: FieldProps) {
  const { texts, question, values } = props;
  return (
    <Wrapper of={props} group>
      <legend>
        <Label {...props} />
      </legend>
      <HintAndFault {...props} />
      <div class="choices">
        {(question.options ?? []).map((option, index) => {
          const id = index === 0 ? question.id : `${question.id}-${option}`;
          return (
            <div class="choice" key={option}>
              <input type="radio" id={id} name={question.id} value={option} checked={values[question.id] === option} />
              <label for={id}>{texts.sayIfThere(`options.${question.id}.${option}`) ?? option}</label>
            </div>
          );
        })}
      </div>
    </Wrapper>
  );
}
