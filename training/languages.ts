import type { ToolDefinition } from '../src/core/tool.ts';
import { localDecisionModel } from '../src/relevance/local-decision-model.ts';

/** An English catalogue asked in other languages: what the default does. Prints the share of requests whose tool is first, and among the first three. */
const tools: ToolDefinition[] = (
  [
    ['get_weather', 'Current weather and forecast for a city'],
    ['send_email', 'Send an email message to a recipient'],
    ['book_hotel', 'Reserve a hotel room for given dates'],
    ['search_flights', 'Find flights between two airports on a date'],
    ['play_music', 'Play a song or an album'],
    ['set_alarm', 'Set an alarm clock for a time'],
    ['translate_text', 'Translate a text into another language'],
    ['get_stock_price', 'Latest price of a stock by its symbol'],
    ['create_invoice', 'Create an invoice for a customer'],
    ['query_database', 'Run a read-only SQL query on the database'],
    ['add_calendar_event', 'Add an event to the calendar'],
    ['find_restaurant', 'Find restaurants near a place by cuisine'],
    ['delete_file', 'Delete a file from a directory'],
    ['convert_currency', 'Convert an amount from one currency to another'],
    ['open_ticket', 'Open a support ticket with a title and a description'],
    ['transfer_money', 'Transfer money from one bank account to another'],
    ['order_taxi', 'Order a taxi to an address'],
    ['read_news', 'Read the latest news headlines'],
    ['track_parcel', 'Track a parcel by its shipment number'],
    ['resize_image', 'Resize an image to a width and height'],
  ] as const
).map(([name, description]) => ({ name, description, inputSchema: { type: 'object' } }));

const requests: Readonly<Record<string, readonly (readonly [tool: string, request: string])[]>> = {
  English: [
    ['get_weather', 'Will it rain in Berlin tomorrow?'],
    ['send_email', 'Write a mail to Anna about the meeting'],
    ['book_hotel', 'I need a room in Rome from Friday to Sunday'],
    ['search_flights', 'When can I fly from Paris to Oslo in May?'],
    ['set_alarm', 'Wake me at six'],
    ['get_stock_price', 'What is the Siemens share worth today?'],
    ['create_invoice', 'Make a bill for the customer Miller over 300 euros'],
    ['add_calendar_event', 'Put the dentist on Tuesday at ten in my calendar'],
    ['find_restaurant', 'Where can I eat Italian food nearby?'],
    ['convert_currency', 'How many dollars are 50 euros?'],
    ['transfer_money', 'Send 200 euros from my savings to the current account'],
    ['track_parcel', 'Where is my package with the number 12345?'],
  ],
  German: [
    ['get_weather', 'Regnet es morgen in Berlin?'],
    ['send_email', 'Schreib Anna eine E-Mail wegen der Besprechung'],
    ['book_hotel', 'Ich brauche ein Hotelzimmer in Rom von Freitag bis Sonntag'],
    ['search_flights', 'Wann kann ich im Mai von Paris nach Oslo fliegen?'],
    ['set_alarm', 'Weck mich um sechs'],
    ['get_stock_price', 'Was ist die Siemens-Aktie heute wert?'],
    ['create_invoice', 'Erstelle eine Rechnung f\u00fcr den Kunden M\u00fcller \u00fcber 300 Euro'],
    ['add_calendar_event', 'Trag den Zahnarzt am Dienstag um zehn in meinen Kalender ein'],
    ['find_restaurant', 'Wo kann ich in der N\u00e4he italienisch essen?'],
    ['convert_currency', 'Wie viele Dollar sind 50 Euro?'],
    ['transfer_money', '\u00dcberweise 200 Euro vom Sparkonto auf das Girokonto'],
    ['track_parcel', 'Wo ist mein Paket mit der Nummer 12345?'],
  ],
  French: [
    ['get_weather', 'Est-ce qu\u2019il va pleuvoir \u00e0 Berlin demain ?'],
    ['send_email', '\u00c9cris un e-mail \u00e0 Anna au sujet de la r\u00e9union'],
    ['book_hotel', 'Il me faut une chambre d\u2019h\u00f4tel \u00e0 Rome de vendredi \u00e0 dimanche'],
    ['search_flights', 'Quels vols y a-t-il de Paris \u00e0 Oslo en mai ?'],
    ['set_alarm', 'R\u00e9veille-moi \u00e0 six heures'],
    ['get_stock_price', 'Combien vaut l\u2019action Siemens aujourd\u2019hui ?'],
    ['create_invoice', 'Fais une facture de 300 euros pour le client Martin'],
    ['add_calendar_event', 'Note le dentiste mardi \u00e0 dix heures dans mon agenda'],
    ['find_restaurant', 'O\u00f9 manger italien pr\u00e8s d\u2019ici ?'],
    ['convert_currency', 'Combien de dollars font 50 euros ?'],
    ['transfer_money', 'Vire 200 euros de mon \u00e9pargne sur le compte courant'],
    ['track_parcel', 'O\u00f9 est mon colis num\u00e9ro 12345 ?'],
  ],
  Spanish: [
    ['get_weather', '\u00bfVa a llover ma\u00f1ana en Berl\u00edn?'],
    ['send_email', 'Escribe un correo a Ana sobre la reuni\u00f3n'],
    ['book_hotel', 'Necesito una habitaci\u00f3n de hotel en Roma de viernes a domingo'],
    ['search_flights', '\u00bfQu\u00e9 vuelos hay de Par\u00eds a Oslo en mayo?'],
    ['set_alarm', 'Despi\u00e9rtame a las seis'],
    ['get_stock_price', '\u00bfCu\u00e1nto vale hoy la acci\u00f3n de Siemens?'],
    ['create_invoice', 'Haz una factura de 300 euros para el cliente Garc\u00eda'],
    ['add_calendar_event', 'Apunta el dentista el martes a las diez en mi calendario'],
    ['find_restaurant', '\u00bfD\u00f3nde puedo comer comida italiana cerca?'],
    ['convert_currency', '\u00bfCu\u00e1ntos d\u00f3lares son 50 euros?'],
    ['transfer_money', 'Transfiere 200 euros de mis ahorros a la cuenta corriente'],
    ['track_parcel', '\u00bfD\u00f3nde est\u00e1 mi paquete con el n\u00famero 12345?'],
  ],
  Chinese: [
    ['get_weather', '\u660e\u5929\u67cf\u6797\u4f1a\u4e0b\u96e8\u5417\uff1f'],
    ['send_email', '\u7ed9\u5b89\u5a1c\u5199\u4e00\u5c01\u5173\u4e8e\u4f1a\u8bae\u7684\u90ae\u4ef6'],
    ['book_hotel', '\u6211\u9700\u8981\u4e00\u95f4\u7f57\u9a6c\u7684\u9152\u5e97\u623f\u95f4'],
    ['search_flights', '\u4e94\u6708\u4ece\u5df4\u9ece\u5230\u5965\u65af\u9646\u6709\u54ea\u4e9b\u822a\u73ed\uff1f'],
    ['set_alarm', '\u516d\u70b9\u53eb\u9192\u6211'],
    ['get_stock_price', '\u897f\u95e8\u5b50\u80a1\u7968\u4eca\u5929\u591a\u5c11\u94b1\uff1f'],
    ['create_invoice', '\u7ed9\u5ba2\u6237\u5f00\u4e00\u5f20\u4e09\u767e\u6b27\u5143\u7684\u53d1\u7968'],
    ['add_calendar_event', '\u628a\u661f\u671f\u4e8c\u5341\u70b9\u7684\u7259\u533b\u52a0\u5230\u65e5\u5386'],
    ['find_restaurant', '\u9644\u8fd1\u54ea\u91cc\u6709\u610f\u5927\u5229\u83dc\uff1f'],
    ['convert_currency', '\u4e94\u5341\u6b27\u5143\u662f\u591a\u5c11\u7f8e\u5143\uff1f'],
    ['transfer_money', '\u4ece\u50a8\u84c4\u8d26\u6237\u8f6c\u4e24\u767e\u6b27\u5143\u5230\u6d3b\u671f\u8d26\u6237'],
    ['track_parcel', '\u6211\u768412345\u53f7\u5305\u88f9\u5728\u54ea\u91cc\uff1f'],
  ],
};

const model = localDecisionModel();
const { signal } = new AbortController();
for (const [language, list] of Object.entries(requests)) {
  let first = 0;
  let third = 0;
  for (const [wanted, content] of list) {
    const { tools: found } = await model.explain(
      { input: content, questions: {}, context: { messages: [{ role: 'user', content }], catalogue: tools } },
      { signal, limit: 3 },
    );
    if (found[0]?.name === wanted) first += 1;
    if (found.some((tool) => tool.name === wanted)) third += 1;
  }
  console.log(
    `${language.padEnd(8)} first ${Math.round((100 * first) / list.length)} %, among three ${Math.round((100 * third) / list.length)} % of ${list.length}`,
  );
}
