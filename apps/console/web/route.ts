import type { IconNode } from 'lucide';
import type { ComponentType } from 'preact';
import type { OperationId } from '#contract';

/** Parameters of the path by name. */
export type Parameters = Record<string, string>;
export type ScreenComponent = ComponentType<Parameters>;

export interface Route {
  /** `/integrations/:accountId/:integrationId` */
  path: string;
  title: string;
  /** Each screen is a file of its own, which is loaded when somebody goes to it. */
  load: () => Promise<ScreenComponent>;
  /** Group of the menu that has an entry for it; empty for the entry above all groups. */
  menu?: '' | MenuGroup;
  /** Beside its title in the menu. */
  icon?: IconNode;
  /** Where the documentation says what the screen is for: a page below `docs/`, with the id of its heading. */
  help: string;
  /** The operation without which the screen shows nothing. */
  needs?: OperationId;
}

/** Groups of the menu by what people come for: to connect systems, to work with their records, to say who may do what, and to run the organization. */
export const menuGroups = ['Connect', 'Records', 'Access', 'Organization'] as const;
export type MenuGroup = (typeof menuGroups)[number];
