import type { Problem } from '#contract';
import { RequestError } from '../api/request-error.js';
import { checksOf } from '../parts/checks.js';
import type { ProviderText } from '../parts/form-words.js';
import { kindOf } from '../parts/problem-kind.js';
import { sentence } from '../parts/sentence.js';
import { Toned } from '../parts/state.js';
import { Heading } from './heading.js';
import { isEnded } from './session.js';
import { fill, words } from './words.js';

type Kind = ReturnType<typeof kindOf>;

/** Details of these are addresses inside of a network, or settings of the host: nothing for a customer. */
const withoutDetails: readonly Kind[] = ['unreachable', 'offline', 'invalid'];

interface Props {
  error: Error;
  provider: string;
  /** Said of refused access in place of what is meant for somebody who has just typed it. */
  refused?: string;
  onRetry?: () => void;
  /** Finds a text of the provider's document in the language of the page. */
  textOf?: (text: string) => ProviderText;
}

const inEnglish = (text: string): ProviderText => ({ text, language: 'en' });

/** A problem in the customer's language, with what they can do; the service's own words are below it. */
export function Failure({ error, provider, refused, onRetry, textOf = inEnglish }: Props) {
  const { problems, details, tryAgain } = words.value;
  const problem = error instanceof RequestError ? error.problem : undefined;
  if (problem?.status === 401) return null; // the page says that the session has ended
  const kind = problem ? kindOf(problem) : 'failed';
  const needs = problem?.context?.provider_details?.['needs'];
  const text =
    kind === 'permission' && needs !== undefined
      ? fill(problems.permissionNamed, { provider, needs: textOf(needs).text })
      : fill((kind === 'refused' ? refused : undefined) ?? problems[kind], { provider });
  return (
    <div class="problem" role="alert">
      <p class="remedy">{text}</p>
      {problem && kind === 'permission' && (
        <CheckList problem={problem} provider={provider} textOf={textOf} />
      )}
      {problem && !withoutDetails.includes(kind) && (
        <details open={kind === 'failed'}>
          <summary>{details}</summary>
          <p lang="en" dir="ltr">
            {sentence(problem.message)}
          </p>
          <p class="hint">
            {fill(words.value.request, { id: problem.instance.split('/').at(-1) ?? '' })}
          </p>
        </details>
      )}
      {onRetry && (
        <button type="button" onClick={onRetry}>
          {tryAgain}
        </button>
      )}
    </div>
  );
}

interface CheckListProps extends Required<Pick<Props, 'provider' | 'textOf'>> {
  problem: Problem;
}

function CheckList({ problem, provider, textOf }: CheckListProps) {
  const checks = checksOf(problem);
  const { passed: permitted, notPassed, notTried } = words.value;
  if (checks.length === 0) return null;
  return (
    <>
      <p>{fill(words.value.checks, { provider })}</p>
      <ul class="checks">
        {checks.map(({ needs, passed }) => {
          const { text, language } = textOf(needs);
          return (
            <li key={needs}>
              <span lang={language}>
                <Toned tone={passed === null ? 'none' : passed ? 'good' : 'bad'}>{text}</Toned>
              </span>{' '}
              <small>{passed === null ? notTried : passed ? permitted : notPassed}</small>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** Says that the session is over, in the place of a step that cannot go on. */
export function Ended() {
  return (
    <section class="card notice-card">
      <Heading>{words.value.endedTitle}</Heading>
      <p>{words.value.endedText}</p>
    </section>
  );
}

/** Says above a form that the session is over: what was typed stays. @param isUnsure an answer was lost before */
export function EndedNote({ isUnsure }: { isUnsure: boolean }) {
  if (!isEnded.value) return null;
  return (
    <div class="problem" role="alert">
      <p class="remedy">{isUnsure ? words.value.endedUnsure : words.value.endedForm}</p>
      {!isUnsure && <p>{words.value.endedText}</p>}
    </div>
  );
}
