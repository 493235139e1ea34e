import { useEffect } from 'preact/hooks';
import { place, setSearch } from '../location.js';

/** Opens the dialog in which a screen creates something if the address asks for it, as “Go to” does, and takes the request out of the address. */
export function useAsked(open: () => void): void {
  const isAsked = place.value.search.has('new');
  useEffect(() => {
    if (!isAsked) return;
    setSearch({ new: '' }, true);
    open();
  }, [isAsked]);
}
