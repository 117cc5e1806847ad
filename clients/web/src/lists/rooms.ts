/** The one list of rooms of the page; the server tells of it for as long as a screen shows it. */

import { RoomList } from "../client/room_list";
import { session } from "../state";

export const roomList = new RoomList(session);
