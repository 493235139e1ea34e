import type { Expression, Template } from '../language/ast.js';
import type { Bodies, Body } from '../closures/compile.js';
import type { Environment } from '../language/environment.js';
import type { Code } from '../language/run.js';
import { TemplateGenerator } from './generate-template.js';
import { assertGenerated } from './javascript.js';
import { orClosures } from './or-closures.js';
import { isFresh, runtime } from './runtime.js';

const helpers = Object.keys(runtime);
const helperValues: unknown[] = Object.values(runtime);

/** Generated JavaScript, and the values that it names. */
export interface GeneratedSource {
  code: string;
  constants: readonly unknown[];
}

export function templateSource(template: Template, environment: Environment): GeneratedSource {
  const generator = new TemplateGenerator(environment);
  return { code: generator.template(template), constants: generator.constants };
}

/** Makes functions of a template. @throws NotGenerated for what closures run better */
export function generateTemplate(
  parse: () => Template,
  closures: Bodies,
  environment: Environment,
): Bodies {
  const { main, maps } = evaluate(templateSource(parse(), environment)) as {
    main: Body;
    maps: [string, Body][];
  };
  // Few templates begin with a root that something is in: they get a body for it when one comes.
  let onto: Body | undefined;
  return {
    main: (run, self) => {
      if (isFresh(run.root)) main(run, self);
      else
        (onto ??= orClosures(() => generateOnto(parse(), environment), closures.main))(run, self);
    },
    maps: new Map(maps),
  };
}

function generateOnto({ statements }: Template, environment: Environment): Body {
  const generator = new TemplateGenerator(environment);
  const code = generator.onto(statements);
  return evaluate({ code, constants: generator.constants }) as Body;
}

/** Makes a function of one expression. @throws NotGenerated */
export function generateQuery(expression: Expression, environment: Environment): Code {
  const generator = new TemplateGenerator(environment);
  const code = generator.standalone(expression);
  return evaluate({ code, constants: generator.constants }) as Code;
}

/** The one place where text becomes code: the text is ours alone, see javascript.ts. */
function evaluate({ code, constants }: GeneratedSource): unknown {
  assertGenerated(code, helpers);
  const names = constants.map((_one, index) => `c${index}`);
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const make = new Function(...helpers, ...names, `"use strict";\n${code}`) as (
    ...values: unknown[]
  ) => unknown;
  return make(...helperValues, ...constants);
}
