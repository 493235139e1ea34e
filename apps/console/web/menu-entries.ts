import { createContext } from 'preact';
import type { OperationId } from '#contract';
import { operationOf } from './api/operations.js';
import { menuGroups, type Route } from './route.js';

/** The routes, for screens that show the menu: they cannot import them, because the routes load the screens. */
export const RoutesContext = createContext<readonly Route[]>([]);

/** A screen in the menu. */
export interface MenuEntry {
  route: Route;
  /** The permission without which the screen shows nothing; absent if it is open. */
  missing?: string;
}

export interface MenuSection {
  /** Empty for the entries above all groups. */
  group: NonNullable<Route['menu']>;
  entries: readonly MenuEntry[];
}

/** The menu for somebody who may call some operations. @param allows tells which */
export function menuFor(
  routes: readonly Route[],
  allows: (operation: OperationId) => boolean,
): readonly MenuSection[] {
  const entryOf = (route: Route): MenuEntry =>
    route.needs === undefined || allows(route.needs)
      ? { route }
      : { route, missing: operationOf(route.needs).permission };
  return (['', ...menuGroups] as const).map((group) => ({
    group,
    entries: routes.filter(({ menu }) => menu === group).map(entryOf),
  }));
}
