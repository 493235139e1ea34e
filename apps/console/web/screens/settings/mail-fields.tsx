import { CheckBoxes } from '../../parts/check-boxes.js';
import { environments } from '../../parts/environment.js';
import { TextArea } from '../../parts/text-area.js';
import { type Organization, linesIn, mailFault, type Texts } from './form-values.js';

type Environment = Texts['mailEnvironments'][number];

interface Props {
  organization: Organization;
  texts: Texts;
  faults: ReadonlyMap<string, string>;
  onChange: (part: Partial<Texts>) => void;
}

/** The addresses that get a mail when the state of an integration changes, and whether any are sent. */
export function MailFields({ organization, texts, faults, onChange }: Props) {
  const { alarm_mail_from: from } = organization;
  const addresses = linesIn(texts.mails);
  const wrong = addresses.flatMap((one) => mailFault(one) ?? []);
  const ofService = [...faults].find(([place]) => place.startsWith('/options/alarm_mails'))?.[1];
  return (
    <section class="card" aria-labelledby="alarm-mails">
      <h2 id="alarm-mails">Alarms by mail</h2>
      <p>
        {from === undefined ? (
          <>
            No mail is sent: whoever runs this service has not named a mail server (
            <code>SMTP_URL</code>). Addresses that you save get mails once there is one.
          </>
        ) : (
          <>
            When integrations stop working or work again, these addresses get a mail from{' '}
            <bdi>{from}</bdi>: a minute after the first change, with all that changed meanwhile, and
            the next one five minutes later at the earliest.
          </>
        )}
      </p>
      <TextArea
        label="Addresses"
        rows={Math.min(8, Math.max(3, addresses.length + 1))}
        value={texts.mails}
        hint="One per line, 20 at most. An address that you take out gets no further mail."
        fault={wrong.length > 0 ? wrong.join(' ') : ofService}
        onInput={(mails) => onChange({ mails })}
      />
      <fieldset>
        <legend>Accounts whose integrations count</legend>
        <CheckBoxes
          choices={Object.entries(environments) as [Environment, string][]}
          chosen={texts.mailEnvironments}
          onChange={(mailEnvironments) => onChange({ mailEnvironments })}
        />
        {addresses.length > 0 && texts.mailEnvironments.length === 0 && (
          <p class="fault" role="alert">
            Choose at least one.
          </p>
        )}
      </fieldset>
    </section>
  );
}
