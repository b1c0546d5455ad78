/** The icons of the console, drawn for it as lines on a field of 24. Each repeats a word that stands beside it. */

const paths = {
  work: 'M4 13l2-8h12l2 8M4 13v6h16v-6M4 13h5l1.5 2.5h3L15 13h5',
  approvals: 'M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6zM9 12l2.2 2.2L15.5 10',
  orders: 'M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4',
  people: 'M12 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM5 20c0-3.5 3-6 7-6s7 2.5 7 6',
  money: 'M3 7h18v10H3zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM6 12h.01M18 12h.01',
  rates: 'M4 18l5-6 4 3 7-9M15 6h5v5',
  books: 'M12 6c-2-1.5-5-2-8-2v14c3 0 6 .5 8 2 2-1.5 5-2 8-2V4c-3 0-6 .5-8 2zM12 6v14',
  merchants: 'M4 9l1.5-5h13L20 9M4 9h16M5 9v11h14V9M10 20v-6h4v6',
  instance: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  out: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  menu: 'M4 6h16M4 12h16M4 18h16',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
