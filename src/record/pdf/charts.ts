import { type Color, margin, type Sheet } from "./sheet.ts";

export interface Bar {
  readonly label: string;
  readonly value: number;
  readonly color?: Color;
  /** Of the value, drawn over it in red. */
  readonly badValue?: number;
}

const size = 7;

/** One bar a row: names to the left, numbers to the right. */
export function barRows(sheet: Sheet, title: string, bars: readonly Bar[]): void {
  const rowHeight = 15;
  sheet.ensure(30 + bars.length * rowHeight);
  sheet.subheading(title);
  const labelWidth = sheet.width * 0.3;
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const barWidth = sheet.width - labelWidth - 60;
  for (const { label, value, color = "accent" } of bars) {
    sheet.write(label, margin, sheet.y + 1, { size, width: labelWidth - 8, maxLines: 1 });
    const width = Math.max(value === 0 ? 0 : 1, (value / most) * barWidth);
    if (width > 0) sheet.box(margin + labelWidth, sheet.y + 1, width, 9, color);
    sheet.write(count(value), margin + labelWidth + width + 5, sheet.y + 1, {
      size,
      width: 60,
      color: "quiet",
    });
    sheet.y += rowHeight;
  }
  sheet.y += 4;
}

/** One bar a day, or a longer time where there are many days. */
export function barColumns(sheet: Sheet, title: string, bars: readonly Bar[]): void {
  const height = 90;
  sheet.ensure(height + 60);
  sheet.subheading(title);
  const most = Math.max(1, ...bars.map(({ value }) => value));
  const left = margin + 40;
  const width = sheet.width - 40;
  const top = sheet.y + 4;
  for (const share of [0, 0.5, 1]) {
    const y = top + height * (1 - share);
    sheet.document
      .moveTo(left, y)
      .lineTo(left + width, y)
      .lineWidth(0.4)
      .stroke("#d5dae1");
    const text = count(Math.round(most * share));
    const x = left - 5 - sheet.fonts.regular.widthOf(text, size);
    if (share !== 0.5 || most > 1) sheet.write(text, x, y - size + 1, { size, width: 40, color: "quiet" });
  }
  const step = width / Math.max(1, bars.length);
  const labelEvery = Math.ceil(48 / step);
  for (const [index, { label, value, badValue = 0 }] of bars.entries()) {
    const x = left + index * step + step * 0.15;
    const tall = (value / most) * height;
    if (tall > 0) sheet.box(x, top + height - tall, Math.min(40, step * 0.7), tall, "accent");
    const bad = (badValue / most) * height;
    if (bad > 0) sheet.box(x, top + height - bad, Math.min(40, step * 0.7), bad, "bad");
    if (index % labelEvery === 0)
      sheet.write(label, x, top + height + 3, { size, width: 60, maxLines: 1, color: "quiet" });
  }
  sheet.y = top + height + 18;
}

export function count(value: number): string {
  return value.toLocaleString("en-US");
}
