import { i18n } from '@lingui/core';
import { SegmentedControl } from '@mantine/core';
import { IconBasketOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ActionBar } from '../../actions/bar/ActionBar.tsx';
import { type BasketKind, basketKinds } from '../../actions/basket/basket.ts';
import { removeFromBasket, useBasket } from '../../actions/basket/use-basket.ts';
import { type Item, keyOf } from '../../actions/items.ts';
import { mediumQuery } from '../../api/media.ts';
import { ButtonWithIcon } from '../../components/ButtonWithIcon.tsx';
import { MediaReveal } from '../../components/media/MediaReveal.tsx';
import { ListScreen } from '../../components/table/ListScreen.tsx';
import { localRows } from '../../components/table/rows.ts';
import { useServer } from '../../console-context.ts';
import { mediaFacts } from '../../subjects/media-states.ts';
import { number } from '../../words/format.ts';
import { basketColumns } from './basket-columns.tsx';

const countText = (kind: BasketKind, count: number) => {
  const shown = number(count);
  switch (kind) {
    case 'user':
      return i18n.t('{count, plural, one {{shown} user} other {{shown} users}}', { count, shown });
    case 'room':
      return i18n.t('{count, plural, one {{shown} room} other {{shown} rooms}}', { count, shown });
    case 'media':
      return i18n.t('{count, plural, one {{shown} file} other {{shown} files}}', { count, shown });
  }
};

/** Lists the collected users, rooms or files, with the actions on them. */
export function BasketScreen() {
  const server = useServer();
  const basket = useBasket(server);
  const search = useSearch({ from: '/frame/server/basket' });
  const navigate = useNavigate({ from: '/basket' });
  const byKind = useMemo(() => Map.groupBy(basket, ({ kind }) => kind), [basket]);
  const kinds = basketKinds.filter((each) => byKind.has(each));
  const kind = kinds.find((each) => each === search.kind) ?? kinds[0] ?? 'user';
  const items = byKind.get(kind) ?? [];
  const columns = useMemo(() => basketColumns(kind), [kind]);
  return (
    <MediaReveal>
      <ListScreen
        id={`basket-${kind}`}
        title={i18n.t('Basket')}
        columns={columns}
        // Removing rows ends their selection.
        rows={localRows(JSON.stringify([server.id, 'basket', kind, items.length]), items)}
        idOf={keyOf}
        filters={
          kinds.length > 1 && (
            <SegmentedControl
              aria-label={i18n.t('Kind')}
              value={kind}
              onChange={(next) =>
                navigate({ search: (current) => ({ ...current, kind: next as BasketKind }) })
              }
              data={kinds.map((value) => ({
                value,
                label: countText(value, byKind.get(value)?.length ?? 0),
              }))}
            />
          )
        }
        headingActions={() =>
          basket.length > 0 && (
            <ButtonWithIcon
              variant="default"
              icon={IconBasketOff}
              onClick={() => removeFromBasket(server, basket)}
            >
              {i18n.t('Empty basket')}
            </ButtonWithIcon>
          )
        }
        countOf={(count) => countText(kind, count)}
        texts={{
          loading: '',
          loadFailed: '',
          empty: i18n.t('Basket is empty'),
          emptyNote: i18n.t(
            'On any list or page, press B or choose “Add to basket” under More. The basket lasts until you sign out or close this tab.',
          ),
        }}
        actions={(keys, onActed) => <BasketActions items={items} keys={keys} onActed={onActed} />}
      />
    </MediaReveal>
  );
}

type ActionsProps = { items: readonly Item[]; keys: readonly string[]; onActed: () => void };

function BasketActions({ items, keys, onActed }: ActionsProps) {
  const server = useServer();
  const selected = useMemo(() => {
    const wanted = new Set(keys);
    return items.filter((item) => wanted.has(keyOf(item)));
  }, [items, keys]);
  const [only] = selected.length === 1 ? selected : [];
  const uri = only?.kind === 'media' ? only.uri : undefined;
  const medium = useQuery({ ...mediumQuery(server, uri ?? ''), enabled: uri !== undefined });
  const known = useMemo(
    () => (uri === undefined ? undefined : mediaFacts(uri, medium.data)),
    [uri, medium.data],
  );
  const on = useMemo(
    () => ({
      users: selected.filter((item) => item.kind === 'user'),
      rooms: selected.filter((item) => item.kind === 'room'),
      media: selected.filter((item) => item.kind === 'media'),
    }),
    [selected],
  );
  return <ActionBar on={on} {...(known && { known })} onActed={onActed} />;
}
